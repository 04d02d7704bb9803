//! Animated GIFs.

use super::image_size::ImageSize;
use crate::{Error, io::Draft};
use gif::{Encoder, Frame, Repeat};
use image::RgbImage;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Speed of the palette search, from 1, the slowest and best, to 30.
const SPEED: i32 = 10;

/// A GIF under construction.
pub struct Gif {
    path: PathBuf,
    encoder: Encoder<Draft>,
    /// Duration of a frame, in hundredths of a second.
    delay: u16,
    frames: u64,
}

impl Gif {
    /// Begins a GIF. Players show at most 50 frames a second.
    pub fn create(path: &Path, size: ImageSize, frame_rate: f64) -> Result<Self, Error> {
        let side = |side: u32| side.min(u16::MAX.into()) as u16;
        let encoder = Encoder::new(Draft::create(path)?, side(size.width), side(size.height), &[]);
        let encoder = encoder.and_then(|mut encoder| encoder.set_repeat(Repeat::Infinite).map(|()| encoder));
        let encoder = encoder.map_err(|error| failed(path, error))?;
        let delay = (100.0 / frame_rate).round().clamp(2.0, 1000.0) as u16;
        Ok(Self { path: path.to_owned(), encoder, delay, frames: 0 })
    }

    /// Adds a frame.
    pub fn push(&mut self, image: &RgbImage) -> Result<(), Error> {
        let (width, height) = (image.width() as u16, image.height() as u16);
        let mut frame = Frame::from_rgb_speed(width, height, image.as_raw(), SPEED);
        frame.delay = self.delay;
        self.encoder.write_frame(&frame).map_err(|error| failed(&self.path, error))?;
        self.frames += 1;
        Ok(())
    }

    /// Completes the file and returns its path; `None` without frames.
    pub fn finish(self) -> Result<Option<PathBuf>, Error> {
        if self.frames == 0 {
            return Ok(None);
        }
        let draft = self.encoder.into_inner().map_err(|error| failed(&self.path, error))?;
        draft.finish()?;
        Ok(Some(self.path))
    }
}

fn failed(path: &Path, error: gif::EncodingError) -> Error {
    let source = match error {
        gif::EncodingError::Io(source) => source,
        other => io::Error::other(other),
    };
    Error::Io { path: path.to_owned(), source }
}

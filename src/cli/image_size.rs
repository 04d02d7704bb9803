//! The size of a picture as given by `--image-size`.

use crate::picture::MAXIMUM_SIDE;
use std::str::FromStr;

/// Width and height, pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImageSize {
    pub width: u32,
    pub height: u32,
}

impl FromStr for ImageSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse::<u32>().ok().filter(|side| (1..=MAXIMUM_SIDE).contains(side));
        text.split_once('x')
            .and_then(|(width, height)| Some(Self { width: side(width)?, height: side(height)? }))
            .ok_or_else(|| format!("not WIDTHxHEIGHT, from 1x1 to {MAXIMUM_SIDE}x{MAXIMUM_SIDE}"))
    }
}

//! Files that a run writes: frames, caches, pictures.

use super::{
    folder::{self, Folder},
    gif::Gif,
    image_size::ImageSize,
    still::{self, Colouring, Studio},
};
use crate::{
    BodyId, Error, Gpu, SceneFile, Simulation,
    io::export::{Animation, Frame, Part, PointCache, PointCacheFormat, obj, ply, pvd, vtu},
};
use clap::ValueEnum;
use glam::Vec3;
use std::path::PathBuf;

/// Format of files with one frame each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FrameFormat {
    /// frame_0000.obj, …: Wavefront OBJ
    Obj,
    /// frame_0000.ply, …: binary, with velocity and strain
    Ply,
    /// frame_0000.vtu, … and frames.pvd: for ParaView, with velocity and strain
    Vtu,
    /// frame_0000.png, …: pictures
    Png,
    /// No frames: the state is read back once, at the end
    None,
}

impl FrameFormat {
    fn extension(self) -> &'static str {
        match self {
            FrameFormat::Obj => "obj",
            FrameFormat::Ply => "ply",
            FrameFormat::Vtu => "vtu",
            FrameFormat::Png => "png",
            FrameFormat::None => "",
        }
    }
}

/// Format of files with all frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CacheFormat {
    /// frames.pc2: point cache, applied to an existing mesh
    Pc2,
    /// frames.mdd: point cache, applied to an existing mesh
    Mdd,
    /// frames.glb: glTF with morph targets, which Blender and browsers play
    Glb,
    /// No such file, not even those that the scene asks for
    None,
}

/// Outputs that the user asked for.
pub struct Wanted {
    pub frames: Vec<FrameFormat>,
    pub caches: Vec<CacheFormat>,
    pub gif: Option<PathBuf>,
    pub image: Option<PathBuf>,
    pub image_size: Option<ImageSize>,
    pub colouring: Colouring,
}

impl Wanted {
    /// Outputs given on the command line, or else in the scene.
    pub fn new(file: &SceneFile, frames: &[FrameFormat], caches: &[CacheFormat]) -> Self {
        let named = |name: &&str| FrameFormat::from_str(name, true).ok();
        let mut frames = match frames {
            [] => file.output.frames.iter().filter_map(named).collect(),
            given => given.to_vec(),
        };
        frames.retain(|format| *format != FrameFormat::None);
        frames.dedup();
        let mut caches = match caches {
            [] => file.output.caches.iter().filter_map(|name| CacheFormat::from_str(name, true).ok()).collect(),
            given => given.to_vec(),
        };
        caches.retain(|format| *format != CacheFormat::None);
        let colouring = Colouring::from_str(file.output.colour, true).unwrap_or_default();
        Self { frames, caches, gif: None, image: None, image_size: None, colouring }
    }

    /// Checks that a run that continues at frame `first` writes what it was asked for. Files of all frames would lack those before it.
    pub fn check_resumed(&self, first: u64, file: &SceneFile) -> Result<(), Error> {
        let cache = if self.caches.is_empty() { None } else { Some("--cache none") };
        let gif = self.gif.as_ref().map(|_| "no --gif");
        let without: Vec<&str> = [cache, gif].into_iter().flatten().collect();
        if first == 0 || without.is_empty() {
            if first > 0 && self.frames.contains(&FrameFormat::Png) && still::camera(file).is_none() {
                log::warn!(
                    "pictures of the frames to come are not framed as those before were: --camera frames all alike"
                );
            }
            return Ok(());
        }
        let message = format!(
            "files of all frames would lack the {first} before the checkpoint: resume with {}, or run from the start",
            without.join(" and ")
        );
        Err(Error::Usage(message))
    }

    /// Whether the run was asked for pictures, besides the usual one of the final state.
    pub fn requires_pictures(&self) -> bool {
        self.frames.contains(&FrameFormat::Png) || self.gif.is_some() || self.image.is_some()
    }
}

/// Whether an error says that there is no GPU, or none that can draw.
pub fn lacks_gpu(error: &Error) -> bool {
    use Error::{NoAdapter, NoDevice, NoSuchAdapter, Unsuitable};
    matches!(error, NoAdapter | NoSuchAdapter { .. } | NoDevice { .. } | Unsuitable { .. })
}

/// Default size of a picture, and of a frame of an animated one.
const STILL: ImageSize = ImageSize { width: 1280, height: 960 };
const ANIMATED: ImageSize = ImageSize { width: 640, height: 480 };

/// Output files under construction.
pub struct Outputs {
    wanted: Wanted,
    caches: Vec<Cache>,
    gif: Option<Gif>,
    /// GPU that draws the final picture; `None` if there is none that can.
    gpu: Option<Gpu>,
    /// Renderer of frames, if frames are drawn.
    sequence: Option<Studio>,
    /// Times and names for `frames.pvd`.
    listed: Vec<(f64, String)>,
    /// First frame to write, and the end of those written.
    first: u64,
    last: Option<u64>,
    written: Written,
}

/// Paths of the written files.
#[derive(Default)]
pub struct Written {
    /// First and last file of each frame format.
    pub frames: Vec<(PathBuf, PathBuf)>,
    pub others: Vec<PathBuf>,
    /// Picture of the final state; `None` if there is no GPU to draw it.
    pub picture: Option<PathBuf>,
}

enum Cache {
    Points(PathBuf, PointCache),
    Animation(PathBuf, Animation),
}

impl Outputs {
    /// Begins all files; `first` is the number of the first frame.
    pub fn new(
        wanted: Wanted,
        file: &SceneFile,
        simulation: &Simulation,
        folder: &Folder,
        first: u64,
    ) -> Result<Self, Error> {
        let mut caches = Vec::new();
        for format in &wanted.caches {
            let path = |extension: &str| folder.path().join(format!("frames.{extension}"));
            caches.push(match format {
                CacheFormat::Pc2 => {
                    Cache::Points(path("pc2"), PointCache::create(&path("pc2"), PointCacheFormat::Pc2)?)
                }
                CacheFormat::Mdd => {
                    Cache::Points(path("mdd"), PointCache::create(&path("mdd"), PointCacheFormat::Mdd)?)
                }
                CacheFormat::Glb => Cache::Animation(path("glb"), Animation::create(&path("glb"))?),
                CacheFormat::None => continue,
            });
        }
        let draws = wanted.frames.contains(&FrameFormat::Png);
        let size = wanted.image_size.unwrap_or(if wanted.gif.is_some() && !draws { ANIMATED } else { STILL });
        let gpu = match Studio::gpu(simulation) {
            Ok(gpu) => Some(gpu),
            // A run that did not ask for pictures does not fail for lack of one.
            Err(error) if wanted.requires_pictures() || !lacks_gpu(&error) => return Err(error),
            Err(error) => {
                log::warn!("no picture: {error}");
                None
            }
        };
        let sequence = match &gpu {
            Some(gpu) if draws || wanted.gif.is_some() => Some(Studio::new(gpu, file, simulation, size)?),
            _ => None,
        };
        let gif = match &wanted.gif {
            Some(path) => Some(Gif::create(path, size, file.frame_rate)?),
            None => None,
        };
        let listed = if wanted.frames.contains(&FrameFormat::Vtu) {
            // The frames of the resumed run still exist.
            (0..first).map(|frame| (file.frame_time(frame), folder::frame_name(frame, "vtu"))).collect()
        } else {
            Vec::new()
        };
        Ok(Self { wanted, caches, gif, gpu, sequence, listed, first, last: None, written: Written::default() })
    }

    /// Whether any frames are written.
    pub fn any_frames(&self) -> bool {
        !self.wanted.frames.is_empty() || !self.caches.is_empty() || self.gif.is_some()
    }

    /// Writes the current state as a frame.
    pub fn frame(
        &mut self,
        frame: u64,
        file: &SceneFile,
        simulation: &mut Simulation,
        folder: &Folder,
    ) -> Result<(), Error> {
        let has = |format| self.wanted.frames.contains(&format);
        let (obj, ply, vtu, png) =
            (has(FrameFormat::Obj), has(FrameFormat::Ply), has(FrameFormat::Vtu), has(FrameFormat::Png));
        if obj || ply || vtu || !self.caches.is_empty() {
            let state = State::read(file, simulation, ply || vtu)?;
            let parts = state.parts(file);
            let moment = Frame { time: simulation.time(), parts: &parts };
            if obj {
                folder.write(&folder::frame_name(frame, "obj"), |writer| obj::write(writer, &moment))?;
            }
            if ply {
                folder.write(&folder::frame_name(frame, "ply"), |writer| ply::write(writer, &moment))?;
            }
            if vtu {
                let name = folder::frame_name(frame, "vtu");
                folder.write(&name, |writer| vtu::write(writer, &moment))?;
                self.listed.push((moment.time, name));
            }
            for cache in &mut self.caches {
                match cache {
                    Cache::Points(_, cache) => cache.push(&moment)?,
                    Cache::Animation(_, animation) => animation.push(&moment)?,
                }
            }
        }
        if let Some(studio) = &mut self.sequence {
            let image = studio.draw_in_sequence(simulation, still::camera(file), self.wanted.colouring)?;
            if png {
                folder.write(&folder::frame_name(frame, "png"), |writer| still::encode(writer, &image))?;
            }
            if let Some(gif) = &mut self.gif {
                gif.push(&image)?;
            }
        }
        self.last = Some(frame);
        Ok(())
    }

    /// Draws the picture of the final state.
    pub fn picture(&mut self, file: &SceneFile, simulation: &mut Simulation, folder: &Folder) -> Result<(), Error> {
        let size = self.wanted.image_size.unwrap_or(STILL);
        let Some(gpu) = &self.gpu else { return Ok(()) };
        let mut studio = Studio::new(gpu, file, simulation, size)?;
        let image = studio.draw(simulation, still::camera(file), self.wanted.colouring)?;
        let path = self.wanted.image.clone().unwrap_or_else(|| folder.path().join(folder::PICTURE));
        still::write(&path, &image)?;
        self.written.picture = Some(path);
        Ok(())
    }

    /// Completes the files of all frames.
    pub fn finish(mut self, folder: &Folder) -> Result<Written, Error> {
        for cache in self.caches {
            match cache {
                Cache::Points(path, cache) if cache.frames() > 0 => {
                    cache.finish()?;
                    self.written.others.push(path);
                }
                Cache::Animation(path, animation) if animation.frames() > 0 => {
                    animation.finish()?;
                    self.written.others.push(path);
                }
                // Nothing has been written.
                _ => {}
            }
        }
        for (format, last) in self.wanted.frames.iter().zip(self.last.into_iter().cycle()) {
            let path = |frame: u64| folder.path().join(folder::frame_name(frame, format.extension()));
            self.written.frames.push((path(self.first), path(last)));
        }
        if let Some(gif) = self.gif {
            self.written.others.extend(gif.finish()?);
        }
        if !self.listed.is_empty() {
            folder.write(folder::LIST, |writer| pvd::write(writer, &self.listed))?;
            self.written.others.push(folder.path().join(folder::LIST));
        }
        Ok(self.written)
    }
}

/// A state read back from the simulation, by body; skins replace the bodies that carry them.
struct State {
    positions: Vec<Vec<Vec3>>,
    normals: Vec<Vec<Vec3>>,
    velocities: Vec<Vec<Vec3>>,
    strains: Vec<Vec<f32>>,
}

impl State {
    fn read(file: &SceneFile, simulation: &mut Simulation, with_values: bool) -> Result<Self, Error> {
        let counts: Vec<usize> = file.scene.bodies.iter().map(|body| body.mesh.positions.len()).collect();
        let mut state = Self {
            positions: cut(simulation.positions()?, &counts),
            normals: vec![Vec::new(); counts.len()],
            velocities: vec![Vec::new(); counts.len()],
            strains: vec![Vec::new(); counts.len()],
        };
        if with_values {
            state.velocities = cut(simulation.velocities()?, &counts);
            state.strains = cut(&simulation.strains()?, &counts);
        }
        for (ix, body) in file.scene.bodies.iter().enumerate() {
            if body.skin.is_some() {
                state.positions[ix] = simulation.skin_positions(BodyId(ix))?;
                state.normals[ix] = simulation.skin_normals(BodyId(ix))?;
                // Velocities and strains belong to particles, not to vertices of the skin.
                state.velocities[ix].clear();
                state.strains[ix].clear();
            }
        }
        Ok(state)
    }

    fn parts<'a>(&'a self, file: &'a SceneFile) -> Vec<Part<'a>> {
        let part = |(ix, body): (usize, &'a crate::Body)| {
            let common = Part {
                name: &file.names[ix],
                positions: &self.positions[ix],
                normals: &self.normals[ix],
                velocities: &self.velocities[ix],
                strains: &self.strains[ix],
                ..Default::default()
            };
            match &body.skin {
                Some(skin) => Part { triangles: &skin.triangles, texture: &skin.texture, ..common },
                None => Part {
                    triangles: &body.mesh.triangles,
                    wires: &body.mesh.wires,
                    tetrahedra: &body.mesh.tetrahedra,
                    texture: &body.mesh.texture,
                    ..common
                },
            }
        };
        file.scene.bodies.iter().enumerate().map(part).collect()
    }
}

/// Splits values into one list per body.
fn cut<T: Clone>(values: &[T], counts: &[usize]) -> Vec<Vec<T>> {
    let mut rest = values;
    let mut next = |&count: &usize| {
        let (first, others) = rest.split_at(count.min(rest.len()));
        rest = others;
        first.to_vec()
    };
    counts.iter().map(&mut next).collect()
}

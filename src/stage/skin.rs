//! The skin stage: vertices of skins from the positions of their bodies, on demand, never in a step.
//!
//! Reads published, skin_points, skin_fans. Writes skin_positions, skin_normals.

use super::{HARDWARE_WORKGROUPS, MOST_WORKGROUPS, SOFTWARE_WORKGROUPS, Timeline, turns, turns::Turns};
use crate::{
    Error,
    gpu::{Buffers, Dispatch, Gpu, shader},
    topology::Skins,
};

#[derive(Debug)]
pub(crate) struct Skin {
    place: Dispatch,
    normals: Dispatch,
}

impl Skin {
    /// Binds the kernels of skins, with the number of workgroups that [`Skin::workgroups`] returns.
    pub fn new(gpu: &Gpu, buffers: &Buffers, workgroups: u32) -> Result<Self, Error> {
        Ok(Self {
            place: gpu.kernel("skin/place")?.bind(gpu, buffers, workgroups)?,
            normals: gpu.kernel("skin/normals")?.bind(gpu, buffers, workgroups)?,
        })
    }

    /// Number of workgroups for some skins: on software drivers large enough that no thread has too many loop turns.
    pub fn workgroups(gpu: &Gpu, skins: &Skins) -> Result<u32, Error> {
        let module = shader::parse("skin/place", gpu.launch()).map_err(Error::Gpu)?;
        let threads = shader::constant(&module, "WORKGROUP_SIZE")
            .ok_or_else(|| Error::Gpu("no constant WORKGROUP_SIZE".to_owned()))?;
        let count = skins.points.len();
        let useful = count.div_ceil(threads as usize).max(1) as u64;
        if gpu.launch() == shader::Launch::Hardware {
            return Ok(useful.min(HARDWARE_WORKGROUPS.into()) as u32);
        }
        let turns_of = |vertex: usize| skins.fans.row(vertex).len() as u64;
        let least = useful.min(SOFTWARE_WORKGROUPS.into());
        let all = 0..count;
        let groups = Turns::new(threads, count, turns_of).groups(&[all], least, MOST_WORKGROUPS, turns::MOST);
        groups.map(|groups| groups as u32).map_err(|needs| Error::Limit {
            limit: "turns of a loop on a software driver",
            what: format!("a skin of {count} vertices, too many triangles at one of them,"),
            needs,
            gives: turns::MOST,
        })
    }

    /// Encodes the positions of skin vertices, and their normals if `normals`.
    pub fn encode(&self, timeline: &mut Timeline<'_>, normals: bool) {
        timeline.run(&self.place);
        if normals {
            timeline.run(&self.normals);
        }
    }
}

//! Buffers of contact between bodies. Those of pairs grow when a step finds more pairs than they hold; the step is then repeated.

use super::{GpuEngine, Stages, plan::Plan, stages::Supports};
use crate::{
    Error, Integrator, Options,
    engine::upload,
    gpu::{
        BufferPlan, Buffers, Gpu, layout,
        shader::{self, Launch},
    },
    simulation::archive::stored,
    stage::{Collision, LaunchPlan, PairLaunch, Search, Solve},
    topology::{Support, Surface, TieGroups, Topology},
};
use glam::DVec3;

/// Pairs for which there is room at first, per row.
const PAIRS_OF_ROW: usize = 4;
/// Smallest room for pairs.
const LEAST_PAIRS: usize = 1 << 14;
/// Levels of a tree that one dispatch climbs.
const LEVELS: u32 = 3;
/// Queries or pairs of one workgroup on a software driver.
const SOFTWARE_PAIRS: usize = 256;
/// Largest number of struts of a pair, as in `shaders/collision/strut.wgsl`.
const MOST_STRUTS: usize = 3;
/// Words of `meeting`; the number of its pairs, and that of edges and triangles near colliders.
const MEETING_WORDS: usize = 16;
const MEETING_PAIRS: usize = 0;
const MEETING_SUPPORTS: usize = 11;
/// Smallest room for edges and triangles near colliders where bodies do not meet.
const LEAST_SUPPORTS: usize = 256;
/// Kind of a pair that is an edge or triangle near a collider: `ON_COLLIDER` in `shaders/collision/pair.wgsl`.
const ON_COLLIDER: u32 = 2;
/// Stiffness of a strut to a collider over its effective mass, times the step squared.
const STIFFNESS: f64 = 100.0;
/// Counts in a block of `shaders/collision/scan.wgsl`.
const BLOCK: usize = 256;

/// What grows when a step needs more of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// Number of pairs for which there is room.
    pub capacity: u64,
    /// Number of parts of a search for pairs, a power of two.
    pub parts: u64,
}

stored!(Room { capacity, parts });

/// Sizes of contact between bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CollisionPlan {
    /// Number of pairs for which there is room.
    pub capacity: usize,
    pub launch: PairLaunch,
}

impl CollisionPlan {
    /// Plans a room, or that of a new scene.
    pub fn new(surface: &Surface, rows: usize, device: Launch, launch: LaunchPlan, room: Option<Room>) -> Self {
        let room = room.unwrap_or(Room { capacity: (PAIRS_OF_ROW * rows).max(LEAST_PAIRS) as u64, parts: 1 });
        let (capacity, parts) = (room.capacity as usize, room.parts as usize);
        let software = device == Launch::Software;
        let each = if software { SOFTWARE_PAIRS } else { launch.threads as usize };
        let groups = |count: usize| count.div_ceil(each).clamp(1, 65_535) as u32;
        Self {
            capacity,
            launch: PairLaunch {
                queries: groups(queries(surface)),
                pairs: groups(capacity),
                struts: launch.strut_workgroups,
                climbs: refits(surface).len(),
                parts,
            },
        }
    }

    /// Plans the buffers whose size does not depend on the number of pairs.
    pub fn buffers(&self, surface: &Surface, rows: usize) -> Vec<BufferPlan> {
        let (words, _) = words(surface);
        let [triangles, edges] = leaves(surface);
        let counts = queries(surface) + rows;
        let mut plan = vec![
            BufferPlan::uniform("surface_layout", size_of::<layout::SurfaceLayout>()),
            BufferPlan::storage("surface", words.len(), 4),
            BufferPlan::storage("rest", rows, 16),
            BufferPlan::storage("masters", rows, 4),
            BufferPlan::storage("motion", rows, size_of::<layout::Motion>()),
            BufferPlan::storage("tree", 2 * (triangles + edges), size_of::<layout::Bounds>()),
            BufferPlan::storage("counts", counts, 4),
            BufferPlan::storage("blocks", counts.div_ceil(BLOCK) + 1, 4),
            BufferPlan::storage("starts", counts.div_ceil(BLOCK) + 1, 4),
            BufferPlan::storage("offsets", counts + 2, 4),
            BufferPlan::storage("meeting", MEETING_WORDS, 4),
            BufferPlan::storage("bare", rows, size_of::<layout::SymmetricBlock>()),
            BufferPlan::storage("fractions", 3 * rows, 4),
        ];
        let climbs = 0..refits(surface).len();
        plan.extend(climbs.map(|ix| BufferPlan::uniform("refit", size_of::<layout::Refit>()).of_chunk(ix)));
        plan.extend(self.room_buffers(rows));
        plan
    }

    pub fn room(&self) -> Room {
        Room { capacity: self.capacity as u64, parts: self.launch.parts as u64 }
    }

    /// Plans the buffers that grow: those of pairs, and the parts of a search.
    fn room_buffers(&self, rows: usize) -> Vec<BufferPlan> {
        let capacity = self.capacity;
        let parts = 0..self.launch.parts;
        let part = |ix| BufferPlan::uniform("search_part", size_of::<layout::SearchPart>()).of_chunk(ix);
        let mut plan: Vec<BufferPlan> = parts.map(part).collect();
        plan.extend([
            BufferPlan::storage("pairs", capacity, size_of::<layout::SurfacePair>()),
            BufferPlan::storage("struts", MOST_STRUTS * capacity, size_of::<layout::Strut>()),
            BufferPlan::storage("states", MOST_STRUTS * capacity, 4),
            BufferPlan::storage("pulls", MOST_STRUTS * capacity, 16),
            BufferPlan::storage("scattered", 4 * capacity, 4),
            BufferPlan::storage("incidents", 4 * capacity, 4),
            BufferPlan::storage("links", rows + 4 * MOST_STRUTS * capacity, 8),
        ]);
        plan
    }

    /// Writes the parts of a search.
    fn write_parts(&self, gpu: &Gpu, buffers: &Buffers) -> Result<(), Error> {
        let parts = self.launch.parts as u32;
        for part in 0..parts {
            let part_of = layout::SearchPart { part, parts, ..Default::default() };
            buffers.write_chunk(gpu, "search_part", part as usize, &[part_of])?;
        }
        Ok(())
    }

    fn layout(&self, surface: &Surface, integrator: Integrator) -> layout::SurfaceLayout {
        let [triangle_leaves, edge_leaves] = leaves(surface).map(|leaves| leaves as u32);
        layout::SurfaceLayout {
            pair_capacity: self.capacity as u32,
            triangle_leaves,
            edge_leaves,
            query_workgroups: self.launch.queries,
            pair_workgroups: self.launch.pairs,
            strut_workgroups: self.launch.struts,
            stage_share: stage_share(integrator) as f32,
            ..words(surface).1
        }
    }
}

/// Place of the stage within the step.
fn stage_share(integrator: Integrator) -> f64 {
    if integrator == Integrator::ImplicitMidpoint { 0.5 } else { 1.0 }
}

/// Number of searches for pairs: one per vertex and one per edge.
fn queries(surface: &Surface) -> usize {
    surface.vertices.len() + surface.edges.len()
}

/// Number of leaves of the trees over triangles and over edges.
fn leaves(surface: &Surface) -> [usize; 2] {
    [surface.triangles.len(), surface.edges.len()].map(|count| count.max(1).next_power_of_two())
}

/// Subtrees of each dispatch that climbs the trees.
fn refits(surface: &Surface) -> Vec<layout::Refit> {
    let levels = leaves(surface).map(usize::ilog2);
    let dispatches = levels[0].max(levels[1]).div_ceil(LEVELS).max(1);
    let of_tree = |levels: u32, dispatch: u32| {
        let top = levels.saturating_sub(LEVELS * dispatch);
        let root = top.saturating_sub(LEVELS);
        if dispatch > 0 && top == 0 { (0, 0) } else { (1 << root, top - root) }
    };
    let refit = |dispatch| {
        let [(triangle_roots, triangle_depth), (edge_roots, edge_depth)] =
            levels.map(|levels| of_tree(levels, dispatch));
        layout::Refit { triangle_roots, triangle_depth, edge_roots, edge_depth }
    };
    (0..dispatches).map(refit).collect()
}

/// Words of `surface`, and where they begin.
fn words(surface: &Surface) -> (Vec<u32>, layout::SurfaceLayout) {
    let mut words: Vec<u32> = Vec::new();
    let mut put = |part: &[u32]| {
        let first = words.len() as u32;
        words.extend(part);
        first
    };
    let skins: Vec<u32> = surface
        .skins
        .iter()
        .flat_map(|skin| [skin.radius, skin.friction].map(|value| (value as f32).to_bits()))
        .collect();
    let bits = |chunk: &[bool]| chunk.iter().rev().fold(0u32, |word, &bit| word << 1 | u32::from(bit));
    let meets: Vec<u32> = surface.meets.chunks(32).map(bits).collect();
    let layout = layout::SurfaceLayout {
        vertex_count: surface.vertices.len() as u32,
        edge_count: surface.edges.len() as u32,
        triangle_count: surface.triangles.len() as u32,
        vertices: put(&surface.vertices),
        edges: put(surface.edges.as_flattened()),
        wings: put(surface.wings.as_flattened()),
        triangles: put(surface.triangles.as_flattened()),
        beyond: put(surface.beyond.as_flattened()),
        offsets: put(&surface.offsets),
        neighbours: put(&surface.neighbours),
        bodies: put(&surface.bodies),
        skins: put(&skins),
        meets: put(&meets),
        sewn: if surface.sewn.is_empty() { 0 } else { put(&surface.sewn) },
        ignoring_bodies: if surface.meets.is_empty() { 0 } else { surface.skins.len() as u32 },
        ..Default::default()
    };
    (words, layout)
}

/// Rest positions, m, with the inverse mass of each row and of those tied to it, 1/kg.
fn rest(topology: &Topology, surface: &Surface, groups: &TieGroups) -> Vec<[f32; 4]> {
    let (masters, masses) = (groups.masters(surface.rest.len()), groups.masses(&topology.masses));
    let row = |(position, master): (&DVec3, u32)| upload::vec4(*position, (1.0 / masses[master as usize]) as f32);
    surface.rest.iter().zip(masters).map(row).collect()
}

/// Writes the buffers of surfaces.
pub(super) fn upload(
    topology: &Topology,
    options: &Options,
    plan: &Plan,
    gpu: &Gpu,
    buffers: &Buffers,
) -> Result<(), Error> {
    let (Some(surface), Some(collision)) = (&topology.surface, &plan.collision) else { return Ok(()) };
    buffers.write(gpu, "surface", 0, &words(surface).0)?;
    buffers.write(gpu, "rest", 0, &rest(topology, surface, &topology.tied_at_start()))?;
    buffers.write(gpu, "surface_layout", 0, &[collision.layout(surface, options.integrator)])?;
    collision.write_parts(gpu, buffers)?;
    for (ix, refit) in refits(surface).into_iter().enumerate() {
        buffers.write_chunk(gpu, "refit", ix, &[refit])?;
    }
    Ok(())
}

impl GpuEngine {
    /// Whether bodies meet each other.
    pub(super) fn collides(&self) -> bool {
        self.stages.collision.is_some()
    }

    /// The solve stage of the next step.
    pub(super) fn solver(&self) -> &Solve {
        self.supports().map_or(&self.stages.solve, |supports| &supports.solve)
    }

    /// The search stage of the next step, if steps are safe.
    pub(super) fn searcher(&self) -> Option<&Search> {
        self.supports().map(|supports| &supports.search).or(self.stages.search.as_ref())
    }

    /// The collision stage of the next step, if bodies meet, or edges or triangles may touch colliders.
    pub(super) fn collision(&self) -> Option<&Collision> {
        self.supports().map(|supports| &supports.collision).or(self.stages.collision.as_ref())
    }

    fn supports(&self) -> Option<&Supports> {
        self.stages.supports.as_ref().filter(|_| self.held.support_count > 0)
    }

    /// Replaces the edges and triangles that may touch colliders in the next step.
    pub(super) fn write_supports(&mut self, supports: &[Support]) -> Result<(), Error> {
        let count = supports.len() as u32;
        self.make_room(supports.len())?;
        self.held.support_count = count;
        let params = &mut self.device.params;
        if let Some(launch) = self.device.supported {
            params.measure_count -= params.strut_partials;
            params.strut_partials = if count > 0 { launch.strut_partials } else { 0 };
            params.measure_count += params.strut_partials;
        }
        let (gpu, buffers) = (&self.device.gpu, &self.device.buffers);
        if self.collides() {
            buffers.write(gpu, "meeting", MEETING_SUPPORTS, &[count])?;
        } else if count > 0 {
            buffers.write(gpu, "meeting", MEETING_PAIRS, &[count])?;
        }
        if count == 0 {
            return Ok(());
        }
        let share = stage_share(self.options.integrator);
        let pairs: Vec<_> = supports.iter().map(pair_of).collect();
        let struts: Vec<_> = supports.iter().map(|support| strut_of(support, share)).collect();
        buffers.write(gpu, "pairs", 0, &pairs)?;
        buffers.write(gpu, "struts", 0, &struts)
    }

    /// Makes room for edges and triangles near colliders, and stages where there are none yet.
    fn make_room(&mut self, count: usize) -> Result<(), Error> {
        if self.collides() {
            // Pairs of bodies need room behind them: a step that lacks it is repeated.
            let has_room = self.device.collision.is_none_or(|plan| 2 * count <= plan.capacity);
            return if has_room { Ok(()) } else { self.grow(4 * count as u32) };
        }
        let known = self.device.collision.map_or(0, |plan| plan.capacity);
        let Some(launch) = self.device.supported.filter(|_| count > known) else { return Ok(()) };
        let (surface, rows) = (Surface::default(), self.topology.particle_count());
        let room = Room { capacity: (count + count / 2).max(LEAST_SUPPORTS) as u64, parts: 1 };
        let plan = CollisionPlan::new(&surface, rows, self.device.gpu.launch(), launch, Some(room));
        // A call that fails below leaves neither a plan nor a stage behind: the next step makes both again.
        self.stages.supports = None;
        let before = self.device.collision.take().map_or_else(Vec::new, |before| before.room_buffers(rows));
        let buffers = if before.is_empty() { plan.buffers(&surface, rows) } else { plan.room_buffers(rows) };
        self.replace_buffers(&before, &buffers, count as u32)?;
        let Self { device, topology, options, parts, .. } = self;
        device.buffers.write(&device.gpu, "surface_layout", 0, &[plan.layout(&surface, options.integrator)])?;
        let pairs = plan.launch;
        let supports = Supports::new(&device.gpu, &device.buffers, launch, pairs, topology, *parts, options)?;
        self.stages.supports = Some(supports);
        device.collision = Some(plan);
        Ok(())
    }

    /// Replaces buffers by larger ones for a number of pairs.
    fn replace_buffers(&mut self, before: &[BufferPlan], buffers: &[BufferPlan], pairs: u32) -> Result<(), Error> {
        let limits = self.device.gpu.device().limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        if let Some(buffer) = buffers.iter().find(|buffer| buffer.bytes > most) {
            return Err(Error::Limit {
                limit: "max_storage_buffer_binding_size",
                what: format!("contact with {pairs} pairs (buffer {:?})", buffer.name),
                needs: buffer.bytes,
                gives: most,
            });
        }
        self.device.buffer_bytes += buffers.iter().map(|buffer| buffer.bytes).sum::<u64>();
        self.device.buffer_bytes -= before.iter().map(|buffer| buffer.bytes).sum::<u64>();
        self.device.buffers.replace(buffers, &self.device.gpu)
    }

    /// Writes which row each row is tied to, and the masses of groups.
    pub(super) fn write_masters(&self, groups: &TieGroups) -> Result<(), Error> {
        if !self.collides() {
            return Ok(());
        }
        let Some(surface) = &self.topology.surface else { return Ok(()) };
        let masters = groups.masters(self.topology.particle_count());
        self.device.buffers.write(&self.device.gpu, "masters", 0, &masters)?;
        self.device.buffers.write(&self.device.gpu, "rest", 0, &rest(&self.topology, surface, groups))
    }

    /// Makes room for more pairs.
    pub(super) fn grow(&mut self, pairs: u32) -> Result<(), Error> {
        let Some(room) = self.room() else { return Ok(()) };
        let wanted = (u64::from(pairs) + u64::from(pairs) / 2).max(room.capacity + room.capacity / 2);
        self.provide(Room { capacity: wanted, ..room }, pairs)
    }

    /// Divides searches for pairs into more parts, so that none visits more nodes of a tree than a thread may.
    pub(super) fn divide(&mut self) -> Result<(), Error> {
        let (Some(surface), Some(room)) = (&self.topology.surface, self.room()) else { return Ok(()) };
        let most = shader::parse("collision/count", self.device.gpu.launch()).map_err(Error::Gpu)?;
        let most = shader::constant(&most, "MOST_VISITS").map_or(1, |most| most as usize);
        let nodes = 2 * leaves(surface).into_iter().max().unwrap_or(1);
        // Twice as many as would do: a part has the nodes below its root.
        let parts = (2 * nodes).div_ceil(most).next_power_of_two() as u64;
        let parts = parts.max(2 * room.parts);
        self.provide(Room { parts, ..room }, 0)
    }

    /// The present room, in scenes where bodies meet.
    pub(super) fn room(&self) -> Option<Room> {
        self.device.collision.filter(|_| self.collides()).map(|plan| plan.room())
    }

    /// Provides a room. `pairs`: number of pairs that are to fit, for the error of one that does not.
    pub(super) fn provide(&mut self, room: Room, pairs: u32) -> Result<(), Error> {
        let topology = self.topology.clone();
        let (Some(surface), Some(before)) = (&topology.surface, self.device.collision) else { return Ok(()) };
        if before.room() == room {
            return Ok(());
        }
        let rows = self.topology.particle_count();
        let plan = CollisionPlan::new(surface, rows, self.device.gpu.launch(), self.device.launch, Some(room));
        let buffers = plan.room_buffers(rows);
        self.replace_buffers(&before.room_buffers(rows), &buffers, pairs)?;
        self.device.collision = Some(plan);
        let layout = plan.layout(surface, self.options.integrator);
        self.device.buffers.write(&self.device.gpu, "surface_layout", 0, &[layout])?;
        plan.write_parts(&self.device.gpu, &self.device.buffers)?;
        self.parts.collision = Some(plan);
        let Self { device, topology, options, parts, .. } = self;
        self.stages = Stages::new(&device.gpu, &device.buffers, device.launch, topology, *parts, options)?;
        Ok(())
    }

    /// The error of a particle with more pairs than can be put in order.
    pub(super) fn crowd(&self, pairs: u32) -> Error {
        let module = shader::parse("collision/tally", self.device.gpu.launch());
        let most = module.ok().and_then(|module| shader::constant(&module, "MOST_PAIRS_OF_ROW"));
        Error::Limit {
            limit: "pairs of one particle",
            what: "contact between bodies, where many surfaces lie within its thickness at one place,".to_owned(),
            needs: pairs.into(),
            gives: most.unwrap_or_default().into(),
        }
    }
}

/// The pair of an edge or triangle near a collider.
fn pair_of(support: &Support) -> layout::SurfacePair {
    let [first, second, third] = support.surface_velocity.as_vec3().to_array().map(f32::to_bits);
    layout::SurfacePair { rows: support.rows, first, second, kind: ON_COLLIDER, third }
}

/// The strut of an edge or triangle near a collider, as a stage at this share of the step sees it.
fn strut_of(support: &Support, stage_share: f64) -> layout::Strut {
    let stiffness = STIFFNESS * support.stiffening * support.mass;
    layout::Strut {
        weights: support.weights.map(|weight| weight as f32),
        normal: upload::vec4(support.normal, stiffness as f32),
        push: [0.0; 4],
        goal: (stage_share * support.rise) as f32,
        thickness: support.thickness as f32,
        mass: support.mass as f32,
        friction: support.friction as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(triangles: usize, edges: usize) -> Surface {
        Surface { triangles: vec![[0; 3]; triangles], edges: vec![[0; 2]; edges], ..Default::default() }
    }

    #[test]
    fn dispatches_climb_both_trees_to_their_roots() {
        for (triangles, edges) in [(0, 1), (1, 1), (2, 3), (8, 12), (9, 30), (1000, 4097)] {
            let surface = surface(triangles, edges);
            let refits = refits(&surface);
            let trees = leaves(&surface);
            let levels: [Vec<(u32, u32)>; 2] = [
                refits.iter().map(|refit| (refit.triangle_roots, refit.triangle_depth)).collect(),
                refits.iter().map(|refit| (refit.edge_roots, refit.edge_depth)).collect(),
            ];
            for (leaves, levels) in trees.iter().zip(levels) {
                let mut top = *leaves as u32;
                for (ix, (roots, depth)) in levels.iter().enumerate() {
                    if ix > 0 && top == 1 {
                        assert_eq!((*roots, *depth), (0, 0));
                        continue;
                    }
                    assert_eq!(roots << depth, top, "{triangles} {edges} {ix}");
                    top = *roots;
                }
                assert_eq!(top, 1, "{triangles} {edges}");
            }
        }
    }

    #[test]
    fn bodies_that_meet_are_one_bit_each() {
        let skin = crate::topology::surface::ContactSkin { radius: 0.5, friction: 0.25 };
        let mut surface = surface(1, 3);
        surface.skins = vec![skin; 6];
        surface.meets = vec![true; 36];
        surface.meets[6 + 4] = false;
        surface.meets[34] = false;
        let (words, layout) = words(&surface);
        let bit = |ix: u32| words[(layout.meets + ix / 32) as usize] >> (ix % 32) & 1;
        let zeros: Vec<u32> = (0..36).filter(|&ix| bit(ix) == 0).collect();
        assert_eq!((zeros, layout.ignoring_bodies), (vec![10, 34], 6));
        let number = |ix: u32| f32::from_bits(words[(layout.skins + ix) as usize]);
        assert_eq!([number(0), number(1)], [0.5, 0.25]);
    }
}

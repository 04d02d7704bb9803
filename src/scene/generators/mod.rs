//! Meshes out of a few numbers, besides the grid, the chain and the block: constructors of [`Mesh`](super::Mesh).

mod ball;
mod delaunay;
mod disk;
mod fill;
mod irregular;
mod tube;

#[cfg(test)]
mod tests;

//! Forces of the material and of the world: every model against its definition, its GPU twin and answers on paper.

#[path = "../common/mod.rs"]
mod common;

/// Flat sheets with a rest curvature roll up.
mod curl;
/// The presets in Cusick's drape test.
mod cusick;
/// Edge laws: forces and Jacobians against finite differences.
mod derivatives;
/// Edge models on whole bodies: curves, permanent set, creep, relaxation.
mod edge_models;
/// Elements that [`elements`] and [`element_parity`] are tested on.
mod element_cases;
/// Element models in WGSL against their twins in f64.
mod element_parity;
/// Element models against their definitions in f64.
mod elements;
/// Wind, air resistance, point forces, handles, sliding pins.
mod external;
/// Momenta, turned worlds and positive definite matrices, for all models at once.
mod invariance;
/// Materials that come along.
mod presets;
/// Solids of tetrahedra: moduli at any resolution, recovery from inversion.
#[cfg(feature = "files")]
mod solids;
/// Strips against beams.
mod strips;

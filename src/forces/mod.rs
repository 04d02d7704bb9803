//! Force models in f64, the twins of `shaders/forces/`: one file per model.
//!
//! The file of a model holds its typed parameters, their packing into the words that topology stores and the GPU reads, and its
//! equations. No other file knows the meaning of a word: code that makes an edge or an element packs a struct, and code that evaluates one
//! unpacks it. [`law`] is the table of edge laws, [`element`] that of element models.
//!
//! This module imports nothing of the crate. [`topology`](crate::topology) measures rest states and limits with it;
//! [`reference`](crate::reference) gathers its forces into the f64 step.

pub mod area;
pub mod buckling;
pub mod cubic;
pub mod cubic_absolute;
pub mod curvature;
pub mod curvature_printed;
pub mod dihedral;
pub mod edge;
pub mod element;
pub mod law;
pub mod linear;
pub mod membrane;
pub mod neo_hookean;
pub mod plastic;
pub mod projected_pair;
#[cfg(test)]
mod recipe_tests;
pub mod series;
pub mod shear_printed;
pub mod strain;
#[cfg(test)]
pub(crate) mod table_tests;
pub mod tension_only;
#[cfg(test)]
pub mod toy_element;
#[cfg(test)]
pub mod toy_law;
pub mod volume;
pub mod weave_cell;

pub use edge::Edge;
pub use element::{Element, ElementMaterial, ElementModel};
pub use law::{EdgeMaterial, EdgeMemory, Law};

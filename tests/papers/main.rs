//! Published results of the papers tenter implements, reproduced one by one. `*_contacts` are those with colliders.

#[path = "../common/mod.rs"]
mod common;

/// Choi and Ko 2002: buckling.
mod choi_ko;
/// Etzmuß 2003: woven cloth as a continuum.
mod etzmuss;
/// Etzmuß 2003: tablecloths, a cloth against a box.
mod etzmuss_contacts;
/// Etzmuß 2003: coarse cloths on obstacles that reach between their particles.
mod etzmuss_virtual;
/// Teschner et al. 2004: melting, inversion, plasticity.
mod teschner;
/// Teschner et al. 2004: largest stable steps, a plastic cube.
mod teschner_contacts;
/// Vogiannou et al. 2010: force curves, the Jacobian's damping, elongation.
mod vogiannou;
/// Vogiannou et al. 2010: heavy rigid bodies on cloth and soft cubes.
mod vogiannou_contacts;
/// Volino and Magnenat-Thalmann 2006: linear bending, shells.
mod volino;

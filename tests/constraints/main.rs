//! What constrains particles: contacts with colliders and rigid bodies, friction, pins, ties, seams and attachments.

#[path = "../common/mod.rs"]
mod common;

/// Particles attached to colliders.
mod attachments;
/// Contact between bodies, and of cloth with itself.
#[cfg(feature = "cli")]
mod between_bodies;
/// Contacts of single particles with colliders, with answers on paper.
mod contacts;
/// Cloth and soft bodies that come to rest on colliders.
#[cfg(feature = "cli")]
mod drape;
/// Edges and triangles against colliders, between their particles.
mod edges;
/// Coulomb friction.
mod friction;
/// Strange scenes in which bodies meet.
mod hostile_meeting;
/// Bodies that meet each other, on the GPU.
mod meeting;
/// Bodies that meet each other under every integrator.
mod meeting_methods;
/// Pins that follow paths and are released.
mod pins;
/// Rigid bodies that cloth, soft bodies and the world push.
mod rigid;
/// Seams that pull particles together until they are tied.
mod seams;
/// Particles tied into one.
mod ties;

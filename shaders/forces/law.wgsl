// The table of edge models. Each is one scalar law: tension g(l), positive when it pulls, its slope g'(l) and energy E(l),
// with g = E'. A new model is one file beside this one, one line in the switch, one twin in `reference::forces`.
#import shared/edge
#import forces/linear

struct EdgeLaw {
    tension: f32,
    slope: f32,
    energy: f32,
}

const LAW_LINEAR: u32 = 0u;

fn edge_law(material: EdgeMaterial, slot: EdgeSlot, length: f32) -> EdgeLaw {
    var law: EdgeLaw;
    switch material.law {
        default: { law = linear_law(material, slot.rest_length, length); }
    }
    return EdgeLaw(slot.weight * law.tension, slot.weight * law.slope, slot.weight * law.energy);
}

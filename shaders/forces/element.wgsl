// The table of element models. Each gives the response of an element at one of its particles, its energy, and its strain if it has a
// rest shape. To add a model follow docs/recipes.md.
#import shared/element
#import forces/area
#import forces/curvature
#import forces/curvature_printed
#import forces/dihedral
#import forces/membrane
#import forces/neo_hookean
#import forces/projected_pair
#import forces/shear_printed
//test #import forces/toy_element
#import forces/volume
#import forces/weave_cell

const MODEL_AREA: u32 = 0u;
const MODEL_MEMBRANE: u32 = 1u;
const MODEL_VOLUME: u32 = 2u;
const MODEL_CURVATURE: u32 = 3u;
const MODEL_CURVATURE_PRINTED: u32 = 4u;
const MODEL_DIHEDRAL: u32 = 5u;
const MODEL_WEAVE_CELL: u32 = 6u;
const MODEL_SHEAR_PRINTED: u32 = 7u;
const MODEL_PROJECTED_PAIR: u32 = 8u;
const MODEL_NEO_HOOKEAN: u32 = 9u;
//test const MODEL_TOY: u32 = 10u;

// Models of the scene, a bit each. Pipelines omit the others: some drivers would execute them all, and every driver would compile
// them.
override ELEMENT_MODELS: u32 = 0xffffffffu;

fn has_model(model: u32) -> bool {
    return ((ELEMENT_MODELS >> model) & 1u) != 0u;
}

// Whether the force of a model is the derivative of an energy. Printed forces are not.
fn has_energy(model: u32) -> bool {
    return model != MODEL_CURVATURE_PRINTED && model != MODEL_SHEAR_PRINTED;
}

fn element_row(material: ElementMaterial, element: Element, state: ElementState, own: u32, weights: RowWeights) -> ElementRow {
    // A single return: drivers compile several returns badly.
    var row: ElementRow;
    switch material.model {
        case MODEL_AREA: { if has_model(MODEL_AREA) { row = area_row(material, element, state, own, weights); } }
        case MODEL_MEMBRANE: { if has_model(MODEL_MEMBRANE) { row = membrane_row(material, element, state, own, weights); } }
        case MODEL_VOLUME: { if has_model(MODEL_VOLUME) { row = volume_row(material, element, state, own, weights); } }
        case MODEL_CURVATURE: { if has_model(MODEL_CURVATURE) { row = curvature_row(element, state, own, weights); } }
        case MODEL_CURVATURE_PRINTED: { if has_model(MODEL_CURVATURE_PRINTED) { row = curvature_printed_row(element, state, own, weights); } }
        case MODEL_DIHEDRAL: { if has_model(MODEL_DIHEDRAL) { row = dihedral_row(element, state, own, weights); } }
        case MODEL_WEAVE_CELL: { if has_model(MODEL_WEAVE_CELL) { row = weave_cell_row(material, element, state, own, weights); } }
        case MODEL_SHEAR_PRINTED: { if has_model(MODEL_SHEAR_PRINTED) { row = shear_printed_row(element, state, own); } }
        case MODEL_PROJECTED_PAIR: { if has_model(MODEL_PROJECTED_PAIR) { row = projected_pair_row(element, state, own, weights); } }
        case MODEL_NEO_HOOKEAN: { if has_model(MODEL_NEO_HOOKEAN) { row = neo_hookean_row(material, element, state, own, weights); } }
//test         case MODEL_TOY: { if has_model(MODEL_TOY) { row = toy_element_row(material, element, state, own, weights); } }
        default: {}
    }
    return row;
}

fn element_energy(material: ElementMaterial, element: Element, state: ElementState) -> f32 {
    var energy = 0.0;
    switch material.model {
        case MODEL_AREA: { if has_model(MODEL_AREA) { energy = area_energy(material, element, state); } }
        case MODEL_MEMBRANE: { if has_model(MODEL_MEMBRANE) { energy = membrane_energy(material, element, state); } }
        case MODEL_VOLUME: { if has_model(MODEL_VOLUME) { energy = volume_energy(material, element, state); } }
        case MODEL_CURVATURE: { if has_model(MODEL_CURVATURE) { energy = curvature_energy(element, state); } }
        case MODEL_DIHEDRAL: { if has_model(MODEL_DIHEDRAL) { energy = dihedral_energy(element, state); } }
        case MODEL_WEAVE_CELL: { if has_model(MODEL_WEAVE_CELL) { energy = weave_cell_energy(material, element, state); } }
        case MODEL_PROJECTED_PAIR: { if has_model(MODEL_PROJECTED_PAIR) { energy = projected_pair_energy(element, state); } }
        case MODEL_NEO_HOOKEAN: { if has_model(MODEL_NEO_HOOKEAN) { energy = neo_hookean_energy(material, element, state); } }
//test         case MODEL_TOY: { if has_model(MODEL_TOY) { energy = toy_element_energy(material, element, state); } }
        default: {}
    }
    return energy;
}

// Principal strain σ - 1 of largest magnitude of an element, σ the singular values of its deformation gradient; 0 for models whose
// elements have no rest shape: bending, shells, and cells of a weave, whose edges have the strain.
fn element_strain(material: ElementMaterial, element: Element, x: array<vec3<f32>, 4>) -> f32 {
    var strain = 0.0;
    switch material.model {
        case MODEL_AREA: { if has_model(MODEL_AREA) { strain = area_strain(element, x); } }
        case MODEL_MEMBRANE: { if has_model(MODEL_MEMBRANE) { strain = membrane_strain(element, x); } }
        case MODEL_VOLUME: { if has_model(MODEL_VOLUME) { strain = volume_strain(element, x); } }
        case MODEL_NEO_HOOKEAN: { if has_model(MODEL_NEO_HOOKEAN) { strain = neo_hookean_strain(element, x); } }
        default: {}
    }
    return strain;
}

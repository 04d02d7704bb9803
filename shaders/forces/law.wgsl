// The table of edge laws. Each is a scalar tension g(l), positive when it pulls, and its slope g'(l), with g = E'. To add a
// law follow docs/recipes.md.
// The importing kernel binds `materials` and `slots`.
#import shared/edge
#import forces/memory
#import forces/linear
#import forces/tension_only
#import forces/cubic
#import forces/cubic_absolute
#import forces/buckling
#import forces/plastic
#import forces/series
//test #import forces/toy_law

struct EdgeLaw {
    // Tension g, N.
    tension: f32,
    // g and g' in the Jacobian, which may omit terms that the force has.
    jacobian_tension: f32,
    slope: f32,
}

const LAW_LINEAR: u32 = 0u;
// No law: the edge has only scalar, damping and drag.
const LAW_NONE: u32 = 1u;
const LAW_TENSION_ONLY: u32 = 2u;
const LAW_CUBIC: u32 = 3u;
const LAW_CUBIC_ABSOLUTE: u32 = 4u;
const LAW_BUCKLING: u32 = 5u;
//test const LAW_TOY: u32 = 6u;

// Laws and memories of the scene, a bit each. Pipelines omit the others: some drivers would execute
// them all.
override EDGE_LAWS: u32 = 0xffffffffu;
override EDGE_MEMORIES: u32 = 0xffffffffu;

// Whether any slot has a weight other than 1, a scalar other than 0, a material other than the first.
override EDGE_WEIGHTS: bool = true;
override EDGE_SCALARS: bool = true;
override EDGE_MATERIALS: bool = true;

// Loads only those fields of a slot in which the slots of the scene differ.
fn slot_at(ix: u32) -> EdgeSlot {
    var slot = EdgeSlot(slots[ix].rest_length, 1.0, 0u, 0.0);
    if EDGE_WEIGHTS {
        slot.weight = slots[ix].weight;
    }
    if EDGE_MATERIALS {
        slot.material = slots[ix].material & MATERIAL_MASK;
    }
    if EDGE_SCALARS {
        slot.scalar = slots[ix].scalar;
    }
    return slot;
}

fn has_law(law: u32) -> bool {
    return ((EDGE_LAWS >> law) & 1u) != 0u;
}

fn has_memory(memory: u32) -> bool {
    return ((EDGE_MEMORIES >> memory) & 1u) != 0u;
}

// The law of a material; not loaded where the scene has a single law.
fn law_of(ix: u32) -> u32 {
    if EDGE_LAWS == 1u {
        return LAW_LINEAR;
    }
    return materials[ix].law;
}

fn memory_of(ix: u32) -> u32 {
    if EDGE_MEMORIES <= 1u {
        return MEMORY_NONE;
    }
    return materials[ix].memory;
}

// Tension and slope of an edge. Only the parameters that its law needs are loaded.
fn edge_law(slot: EdgeSlot, length: f32, history: vec4<f32>) -> EdgeLaw {
    let ix = slot.material;
    let rest_length = slot.rest_length;
    let memory = memory_of(ix);
    var law = EdgeLaw(0.0, 0.0, 0.0);
    if has_memory(MEMORY_SERIES) && memory == MEMORY_SERIES {
        law = series_law(materials[ix].memory_parameters, materials[ix].law_parameters.x, rest_length, length, history.xyz);
    } else {
        let elastic_length = elastic_length_of(memory, rest_length, length, history);
        switch law_of(ix) {
            case LAW_NONE: {}
            case LAW_TENSION_ONLY: { if has_law(LAW_TENSION_ONLY) { law = tension_only_law(materials[ix].law_parameters.x, rest_length, elastic_length); } }
            case LAW_CUBIC: {
                if has_law(LAW_CUBIC) {
                    law = cubic_law(materials[ix].law_parameters, materials[ix].jacobian_parameters.xy, rest_length, elastic_length);
                }
            }
            case LAW_CUBIC_ABSOLUTE: {
                if has_law(LAW_CUBIC_ABSOLUTE) {
                    law = cubic_absolute_law(materials[ix].law_parameters, materials[ix].jacobian_parameters.xy, rest_length, elastic_length);
                }
            }
            case LAW_BUCKLING: { if has_law(LAW_BUCKLING) { law = buckling_law(materials[ix].law_parameters, rest_length, elastic_length); } }
//test             case LAW_TOY: { if has_law(LAW_TOY) { law = toy_law(materials[ix].law_parameters, rest_length, elastic_length); } }
            default: { law = linear_law(materials[ix].law_parameters.x, rest_length, elastic_length); }
        }
    }
    return EdgeLaw(slot.weight * law.tension, slot.weight * law.jacobian_tension, slot.weight * law.slope);
}

// Energy E(l) with the energy ½ s l² of the slot's scalar: for reports only, so that assembly does not pay for it.
fn edge_energy(slot: EdgeSlot, length: f32, history: vec4<f32>) -> f32 {
    let ix = slot.material;
    let rest_length = slot.rest_length;
    let memory = memory_of(ix);
    let parameters = materials[ix].law_parameters;
    var energy = 0.0;
    if has_memory(MEMORY_SERIES) && memory == MEMORY_SERIES {
        energy = series_energy(materials[ix].memory_parameters, parameters.x, rest_length, length, history.xyz);
    } else {
        let elastic_length = elastic_length_of(memory, rest_length, length, history);
        switch law_of(ix) {
            case LAW_NONE: {}
            case LAW_TENSION_ONLY: { if has_law(LAW_TENSION_ONLY) { energy = tension_only_energy(parameters, rest_length, elastic_length); } }
            case LAW_CUBIC: { if has_law(LAW_CUBIC) { energy = cubic_energy(parameters, rest_length, elastic_length); } }
            case LAW_CUBIC_ABSOLUTE: { if has_law(LAW_CUBIC_ABSOLUTE) { energy = cubic_absolute_energy(parameters, rest_length, elastic_length); } }
            case LAW_BUCKLING: { if has_law(LAW_BUCKLING) { energy = buckling_energy(parameters, rest_length, elastic_length); } }
//test             case LAW_TOY: { if has_law(LAW_TOY) { energy = toy_law_energy(parameters, rest_length, elastic_length); } }
            default: { energy = linear_energy(parameters, rest_length, elastic_length); }
        }
    }
    return slot.weight * energy + 0.5 * slot.scalar * length * length;
}

// An edge at the offset from which work is counted.
struct EdgeStart {
    offset: vec3<f32>,
    length: f32,
    tension: f32,
    energy: f32,
}

fn edge_start(slot: EdgeSlot, history: vec4<f32>, offset: vec3<f32>) -> EdgeStart {
    let size = length(offset);
    return EdgeStart(offset, size, edge_law(slot, size, history).tension, edge_energy(slot, size, history));
}

// Work on an edge from one offset to another, and its largest rounding error. Where the tension is linear in the length, the work is exact and of full
// precision however small. Viscoelastic edges are linear, with the memory at the start of the step.
fn edge_work(slot: EdgeSlot, history: vec4<f32>, start: EdgeStart, after: vec3<f32>) -> vec2<f32> {
    let ix = slot.material;
    let length_after = length(after);
    if law_of(ix) == LAW_LINEAR || (has_memory(MEMORY_SERIES) && memory_of(ix) == MEMORY_SERIES) {
        let squares = dot(after - start.offset, after + start.offset);
        let longer = select(0.0, squares / (start.length + length_after), start.length + length_after > 0.0);
        let tensions = start.tension + edge_law(slot, length_after, history).tension;
        return vec2(0.5 * (tensions * longer + slot.scalar * squares), 0.0);
    }
    let energies = vec2(start.energy, edge_energy(slot, length_after, history));
    return vec2(energies.y - energies.x, 4e-7 * (abs(energies.x) + abs(energies.y)));
}

// The memory of an edge after a step that has ended at this length.
fn history_after(slot: EdgeSlot, length: f32, history: vec4<f32>) -> vec4<f32> {
    let ix = slot.material;
    let strain = (length - slot.rest_length) / slot.rest_length;
    switch memory_of(ix) {
        case MEMORY_PLASTIC: {
            return vec4(plastic_after(materials[ix].memory_parameters[0], history.x, strain), 0.0, 0.0, 0.0);
        }
        case MEMORY_SERIES: {
            let series = series_of(materials[ix].memory_parameters);
            return vec4(series_after(series, history.xyz, series_stress(series, history.xyz, strain)), 0.0);
        }
        default: { return history; }
    }
}

fn elastic_length_of(memory: u32, rest_length: f32, length: f32, history: vec4<f32>) -> f32 {
    return select(length, length - rest_length * history.x, has_memory(MEMORY_PLASTIC) && memory == MEMORY_PLASTIC);
}

// Whether an edge has memory. A scene without memory has no such buffer.
fn remembers(slot: EdgeSlot) -> bool {
    return EDGE_MEMORIES > 1u && materials[slot.material].memory != MEMORY_NONE;
}

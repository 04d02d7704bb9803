// Materials of elements. The importing kernel binds `element_materials`.
#import forces/element

// Whether any element has a material other than the first.
override ELEMENT_MATERIALS: bool = true;

// Index of an element's material; a constant if the scene has only one.
fn material_ix_of(material: u32) -> u32 {
    var ix = 0u;
    if ELEMENT_MATERIALS {
        ix = min(material, MAX_ELEMENT_MATERIALS - 1u);
    }
    return ix;
}

// Model of a material; a constant if the scene has only one.
fn model_of(material_ix: u32) -> u32 {
    var model = firstTrailingBit(ELEMENT_MODELS);
    if countOneBits(ELEMENT_MODELS) != 1u {
        model = element_materials[material_ix].model;
    }
    return model;
}

fn material_of(element: Element) -> ElementMaterial {
    let ix = material_ix_of(element.material);
    var material = element_materials[ix];
    material.model = model_of(ix);
    return material;
}

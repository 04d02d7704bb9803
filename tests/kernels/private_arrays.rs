//! No shader indexes a private array at run time: registers have no addresses, so a GPU would keep such an array in memory. Needs no GPU.

use naga::{
    AddressSpace, Expression, Function, TypeInner,
    valid::{Capabilities, FunctionInfo, ValidationFlags, Validator},
};
use tenter::internals::gpu::shader::{self, Launch};

/// Names of the functions of a module that index an array or the columns of a matrix in function or private memory, or such a value, by an index that is
/// known only at run time. Components of vectors are selected in registers, and count as constant.
fn indexing_functions(module: &naga::Module) -> Vec<String> {
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(module).unwrap();
    let is_indexed = |ty: &TypeInner| matches!(ty, TypeInner::Array { .. } | TypeInner::Matrix { .. });
    let indexes = |function: &Function, info: &FunctionInfo| {
        function.expressions.iter().any(|(_, expression)| {
            // Constant indices are `AccessIndex`.
            let &Expression::Access { base, .. } = expression else { return false };
            match *info[base].ty.inner_with(&module.types) {
                TypeInner::Pointer { base, space } => {
                    matches!(space, AddressSpace::Function | AddressSpace::Private)
                        && is_indexed(&module.types[base].inner)
                }
                ref value => is_indexed(value),
            }
        })
    };
    let functions = module.functions.iter().filter(|(handle, function)| indexes(function, &info[*handle]));
    let entries = module.entry_points.iter().enumerate();
    let entries = entries.filter(|(ix, entry)| indexes(&entry.function, info.get_entry_point(*ix)));
    let names = functions.map(|(_, function)| function.name.clone().unwrap_or_default());
    names.chain(entries.map(|(_, entry)| entry.name.clone())).collect()
}

#[test]
fn no_shader_indexes_a_private_array_at_run_time() {
    let (mut shaders, mut found) = (0, Vec::new());
    for name in shader::kernel_names().chain(shader::drawing_names()).chain(["forces/element"]) {
        for launch in Launch::ALL {
            let functions = indexing_functions(&shader::parse(name, launch).unwrap());
            if !functions.is_empty() {
                found.push(format!("{name}: {}", functions.join(", ")));
            }
            shaders += 1;
        }
    }
    assert!(found.is_empty(), "GPUs would keep arrays in memory in {found:#?}");
    assert!(shaders > 100, "only {shaders}");
}

/// The control: each way to index is found in the function that does so, and constant indices and storage buffers are not.
#[test]
fn indices_at_run_time_are_found() {
    let found = |body: &str| {
        let text = format!(
            "@group(0) @binding(0) var<storage, read> numbers: array<f32>;
             @group(0) @binding(1) var<storage, read_write> sum: f32;
             var<private> own: array<f32, 4>;
             var<workgroup> group_own: array<f32, 4>;
             fn at(values: ptr<function, array<f32, 4>>, ix: u32) -> f32 {{ return (*values)[ix]; }}
             fn apart(ix: u32) -> f32 {{ {body} }}
             @compute @workgroup_size(1) fn main(@builtin(local_invocation_index) ix: u32) {{ sum = apart(ix); }}"
        );
        let text = if body.contains("at(") { text } else { text.replace("(*values)[ix]", "(*values)[0]") };
        let found = indexing_functions(&naga::front::wgsl::parse_str(&text).unwrap());
        (!found.is_empty()).then(|| found.concat())
    };
    let apart = Some("apart".to_owned());
    assert_eq!(found("var a = array(1.0, 2.0, 3.0, 4.0); return a[ix];"), apart);
    assert_eq!(found("let a = array(1.0, numbers[ix], 3.0, 4.0); return a[ix];"), apart);
    assert_eq!(found("var a = array(1.0, 2.0, 3.0, 4.0); a[ix] = 5.0; return a[0];"), apart);
    assert_eq!(found("var a = mat2x2(1.0, 2.0, 3.0, 4.0); return a[ix].x;"), apart);
    assert_eq!(
        found("var s = 0.0; var a = array(1.0, 2.0); for (var k = 0u; k < 2u; k += 1u) { s += a[k]; } return s;"),
        apart
    );
    assert_eq!(found("return own[ix];"), apart);
    assert_eq!(found("var a = array(1.0, 2.0, 3.0, 4.0); return at(&a, ix);"), Some("at".to_owned()));
    for kept in [
        "var a = array(1.0, 2.0); return a[1];",
        "var a = vec4(1.0); return a[ix];",
        "return numbers[ix];",
        "return group_own[ix];",
    ] {
        assert_eq!(found(kept), None, "{kept}");
    }
}

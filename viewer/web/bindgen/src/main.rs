//! `bindgen WASM FOLDER`: writes viewer.js and viewer_bg.wasm.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(wasm), Some(folder)) = (words.next(), words.next()) else { return Err("usage: bindgen WASM FOLDER".into()) };
    wasm_bindgen_cli_support::Bindgen::new().input_path(wasm).out_name("viewer").web(true)?.typescript(false).generate(folder)?;
    Ok(())
}

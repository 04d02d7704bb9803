//! The page around the viewer: its address, downloads, and what scripts may read. Natively there is none.

use crate::setup::Setup;

/// Puts a set-up into the address of the page.
pub fn show(setup: &Setup) {
    #[cfg(target_arch = "wasm32")]
    if let Some(window) = web_sys::window()
        && let Ok(history) = window.history()
    {
        let query = format!("?{}", setup.query());
        // An address that the page may not change stays as it is.
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&query));
    }
    #[cfg(not(target_arch = "wasm32"))]
    let _ = setup;
}

/// Lets scripts of the page read the line of the last frame, as `window.tenter`.
pub fn report(line: &str) {
    #[cfg(target_arch = "wasm32")]
    if let Some(window) = web_sys::window() {
        let _ = js_sys::Reflect::set(&window, &"tenter".into(), &line.into());
    }
    #[cfg(not(target_arch = "wasm32"))]
    let _ = line;
}

/// Gives a file to the person: a download, or natively a file in the present folder. Returns where it went.
pub fn give(name: &str, bytes: &[u8]) -> Result<String, String> {
    #[cfg(not(target_arch = "wasm32"))]
    {
        let stem = std::path::Path::new(name);
        // An earlier file is not written over.
        let free = (0..10_000).map(|ix| match (ix, stem.file_stem(), stem.extension()) {
            (0, _, _) => stem.to_owned(),
            (ix, Some(stem), Some(ending)) => {
                format!("{}-{ix}.{}", stem.to_string_lossy(), ending.to_string_lossy()).into()
            }
            (ix, _, _) => format!("{name}-{ix}").into(),
        });
        let path = free.into_iter().find(|path| !path.exists()).ok_or("no free name")?;
        std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path.display().to_string())
    }
    #[cfg(target_arch = "wasm32")]
    {
        use wasm_bindgen::JsCast;
        let fail = |_| "the page cannot give a file".to_owned();
        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes).into());
        let blob = web_sys::Blob::new_with_u8_array_sequence(&parts).map_err(fail)?;
        let url = web_sys::Url::create_object_url_with_blob(&blob).map_err(fail)?;
        let document = web_sys::window().and_then(|window| window.document()).ok_or("no page")?;
        let anchor = document.create_element("a").map_err(fail)?;
        let anchor = anchor.dyn_into::<web_sys::HtmlAnchorElement>().map_err(|_| "no link".to_owned())?;
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
        let _ = web_sys::Url::revoke_object_url(&url);
        Ok(name.to_owned())
    }
}

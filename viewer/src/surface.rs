//! The device that the interface opens: one that can simulate too.

use eframe::{egui_wgpu, wgpu};
use std::sync::Arc;

/// Options of the device: no features, limits that scenes may need.
pub fn configuration() -> egui_wgpu::WgpuConfiguration {
    let mut new = egui_wgpu::WgpuSetupCreateNew::without_display_handle();
    #[cfg(not(target_arch = "wasm32"))]
    {
        // OpenGL shares no device between threads.
        new.instance_descriptor.backends = wgpu::Backends::from_env().unwrap_or(wgpu::Backends::PRIMARY);
    }
    #[cfg(target_arch = "wasm32")]
    {
        new.instance_descriptor.backends = wgpu::Backends::BROWSER_WEBGPU;
    }
    new.device_descriptor = Arc::new(|adapter| {
        let available = adapter.limits();
        let limits = wgpu::Limits {
            max_storage_buffer_binding_size: available.max_storage_buffer_binding_size,
            max_buffer_size: available.max_buffer_size,
            ..wgpu::Limits::default()
        };
        wgpu::DeviceDescriptor {
            label: Some("tenter.viewer"),
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            required_limits: limits,
            ..Default::default()
        }
    });
    #[cfg(not(target_arch = "wasm32"))]
    if let Some(name) = std::env::var("TENTER_ADAPTER").ok().filter(|name| !name.is_empty()) {
        new.native_adapter_selector = Some(Arc::new(move |adapters, surface| {
            let fits = |adapter: &&wgpu::Adapter| {
                adapter.get_info().name.to_lowercase().contains(&name.to_lowercase())
                    && surface.is_none_or(|surface| adapter.is_surface_supported(surface))
            };
            adapters
                .iter()
                .find(fits)
                .cloned()
                .ok_or_else(|| format!("no adapter named {name:?} can draw to the window"))
        }));
    }
    egui_wgpu::WgpuConfiguration { wgpu_setup: egui_wgpu::WgpuSetup::CreateNew(new), ..Default::default() }
}

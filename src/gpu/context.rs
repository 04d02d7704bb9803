//! The device: our own, or the host's.

use super::{
    calls::Scopes,
    faults::Faults,
    kernel::{Constants, Kernel, KernelCache},
    self_test,
    shader::Launch,
    wait,
};
use crate::Error;
use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// Environment variable that picks an adapter by (part of) its name.
const ADAPTER_VARIABLE: &str = "TENTER_ADAPTER";

/// Time limit for each wait while a device is opened.
const OPENING: Duration = Duration::from_secs(30);

/// Which device tenter opens.
///
/// Fields may be added in any release: build it as `GpuOptions { timestamps: true, ..Default::default() }`.
#[derive(Debug, Clone, Default)]
pub struct GpuOptions {
    /// Part of the adapter's name, in any case. Default: `TENTER_ADAPTER`, or else hardware before software.
    pub adapter: Option<String>,
    /// Limits to ask for beyond `wgpu::Limits::default()`.
    pub limits: wgpu::Limits,
    /// Ask for timestamps, if the adapter has them.
    pub timestamps: bool,
    /// How kernels are spread. Default: by the type of the device.
    pub launch: Option<Launch>,
}

/// A device and queue to simulate on. A clone is the same device; several simulations share one.
#[derive(Debug, Clone)]
pub struct Gpu(Arc<Shared>);

/// What all clones of a [`Gpu`] have together.
#[derive(Debug)]
struct Shared {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// Adapter and options of a device that tenter opened: with it a scene that needs larger limits gets a device of its own. `None` for the host's device.
    origin: Option<(wgpu::Adapter, GpuOptions)>,
    info: wgpu::AdapterInfo,
    faults: Faults,
    scopes: Scopes,
    kernels: KernelCache,
    /// Set once the self-test has passed.
    tested: OnceLock<()>,
    /// Time that blocking calls have spent waiting, ns.
    waited: AtomicU64,
}

/// What an adapter is, and whether it would be used.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AdapterSummary {
    /// From wgpu.
    pub info: wgpu::AdapterInfo,
    /// From wgpu.
    pub limits: wgpu::Limits,
    /// Whether it can time stages.
    pub timestamps: bool,
    /// Whether [`Gpu::headless`] would take it.
    pub chosen: bool,
}

impl Gpu {
    /// A device of our own, without a window: hardware before software.
    ///
    /// ```
    /// # fn main() -> Result<(), tenter::Error> {
    /// let gpu = tenter::Gpu::headless()?;
    /// println!("{}", gpu.info().name);
    /// # Ok(()) }
    /// ```
    pub fn headless() -> Result<Self, Error> {
        Self::with_options(GpuOptions::default())
    }

    /// A device of our own, as wished.
    pub fn with_options(options: GpuOptions) -> Result<Self, Error> {
        wait::drive(OPENING, Self::with_options_async(options))
    }

    /// Like [`Gpu::with_options`], for those who cannot block.
    pub async fn with_options_async(options: GpuOptions) -> Result<Self, Error> {
        let mut adapters = adapters().await;
        let ix = choose(&adapters, &options)?;
        Self::open(adapters.swap_remove(ix), options).await
    }

    async fn open(adapter: wgpu::Adapter, options: GpuOptions) -> Result<Self, Error> {
        let info = adapter.get_info();
        let mut required_features = wgpu::Features::empty();
        if options.timestamps {
            required_features |= adapter.features() & wgpu::Features::TIMESTAMP_QUERY;
        }
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("tenter"),
            required_features,
            required_limits: options.limits.clone(),
            ..Default::default()
        };
        let refused =
            |error: wgpu::RequestDeviceError| Error::NoDevice { adapter: info.name.clone(), reason: error.to_string() };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(refused)?;
        let faults = Faults::listen(&device);
        log::info!("using {} ({:?}, {})", info.name, info.backend, info.driver_info);
        Ok(Self::new(device, queue, Some((adapter, options)), info, faults))
    }

    fn new(
        device: wgpu::Device,
        queue: wgpu::Queue,
        origin: Option<(wgpu::Adapter, GpuOptions)>,
        info: wgpu::AdapterInfo,
        faults: Faults,
    ) -> Self {
        Self(Arc::new(Shared {
            device,
            queue,
            origin,
            info,
            faults,
            scopes: Scopes::default(),
            kernels: KernelCache::default(),
            tested: OnceLock::new(),
            waited: AtomicU64::new(0),
        }))
    }

    /// The host's device. Its callbacks are left alone; errors of our own calls are caught in error scopes.
    pub fn from_wgpu(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let info = device.adapter_info();
        Self::new(device, queue, None, info, Faults::default())
    }

    /// Every adapter there is, best first. In a browser, which tells only one adapter and only to those who await it, the list is empty.
    pub fn adapters() -> Vec<AdapterSummary> {
        let adapters = wait::drive(OPENING, async { Ok(adapters().await) }).unwrap_or_default();
        let chosen = choose(&adapters, &GpuOptions::default()).ok();
        let summary = |(ix, adapter): (usize, &wgpu::Adapter)| AdapterSummary {
            info: adapter.get_info(),
            limits: adapter.limits(),
            timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
            chosen: chosen == Some(ix),
        };
        adapters.iter().enumerate().map(summary).collect()
    }

    /// This device if its limits suffice, or another one on the same adapter with larger limits, or an error that names the limit.
    pub(crate) async fn with_limits(&self, needs: &[LimitNeed]) -> Result<Self, Error> {
        let limits = self.device().limits();
        let Some(missing) = needs.iter().find(|need| (need.read)(&limits) < need.amount) else {
            return Ok(self.clone());
        };
        let refuse = |need: &LimitNeed, limits: &wgpu::Limits| Error::Limit {
            limit: need.limit,
            what: need.what.clone(),
            needs: need.amount,
            gives: (need.read)(limits),
        };
        let Some((adapter, options)) = &self.0.origin else {
            return Err(refuse(missing, &limits));
        };
        let available = adapter.limits();
        if let Some(need) = needs.iter().find(|need| (need.read)(&available) < need.amount) {
            return Err(refuse(need, &available));
        }
        let mut options = options.clone();
        for need in needs {
            (need.raise)(&mut options.limits, need.amount);
        }
        log::info!("the scene needs {} of {}: opening a device with larger limits", missing.amount, missing.limit);
        Self::open(adapter.clone(), options).await
    }

    /// Most bytes of one binding.
    pub(crate) fn largest_binding(&self) -> u64 {
        largest_binding(&self.possible_limits())
    }

    /// Limits that a device could have: what the adapter has if we may ask for it, or else what the host's device has.
    pub(crate) fn possible_limits(&self) -> wgpu::Limits {
        self.0.origin.as_ref().map_or_else(|| self.device().limits(), |origin| origin.0.limits())
    }

    /// wgpu's device.
    pub fn device(&self) -> &wgpu::Device {
        &self.0.device
    }

    /// wgpu's queue.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.0.queue
    }

    /// What the adapter calls itself.
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.0.info
    }

    /// Whether shaders run on the CPU: launches and barriers then cost more than loads.
    pub fn is_software(&self) -> bool {
        self.info().device_type == wgpu::DeviceType::Cpu
    }

    /// How kernels are spread over this device: by its type, or as wished.
    pub(crate) fn launch(&self) -> Launch {
        let wanted = self.0.origin.as_ref().and_then(|origin| origin.1.launch);
        wanted.unwrap_or(if self.is_software() { Launch::Software } else { Launch::Hardware })
    }

    /// Whether the device belongs to the host, who hears of uncaptured errors and of its loss.
    pub(crate) fn is_hosts(&self) -> bool {
        self.0.origin.is_none()
    }

    pub(crate) fn faults(&self) -> &Faults {
        &self.0.faults
    }

    pub(crate) fn scopes(&self) -> &Scopes {
        &self.0.scopes
    }

    /// Lets wgpu look after the device and run the callbacks that are due, without waiting. In a browser the event loop does that.
    ///
    /// Futures of tenter go on when somebody polls the device: natively a program that awaits them calls this from time to time, unless it submits work of
    /// its own to the same device.
    pub fn poll(&self) -> Result<(), Error> {
        self.poll_device(wgpu::PollType::Poll).map(|_| ())
    }

    /// Polls the device. A driver that reports a lost device while wgpu waits for it makes wgpu panic; that is caught here. Returns whether what was waited for
    /// came in time.
    pub(crate) fn poll_device(&self, how: wgpu::PollType) -> Result<bool, Error> {
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.device().poll(how)));
        match polled {
            Ok(Err(wgpu::PollError::Timeout)) => Ok(false),
            Ok(_) => Ok(true),
            Err(_) => Err(Error::DeviceLost("wgpu panicked while it waited".to_owned())),
        }
    }

    /// Time that blocking calls have spent waiting for this device since it was opened: the rest of their time is the host's own.
    pub fn time_waited(&self) -> Duration {
        Duration::from_nanos(self.0.waited.load(Ordering::Relaxed))
    }

    /// Notes that a blocking call has waited.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn note_wait(&self, time: Duration) {
        self.0.waited.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Runs the self-test, the first time it is asked for.
    pub(crate) async fn test(&self) -> Result<(), Error> {
        if self.0.tested.get().is_none() {
            self_test::run(self).await?;
            let _ = self.0.tested.set(());
        }
        Ok(())
    }

    /// A kernel, compiled the first time it is asked for.
    pub(crate) fn kernel(&self, name: &'static str) -> Result<Arc<Kernel>, Error> {
        self.0.kernels.get(self, name, &Constants::new())
    }

    /// The same with values for its `override`s.
    pub(crate) fn kernel_with(&self, name: &'static str, constants: &Constants) -> Result<Arc<Kernel>, Error> {
        self.0.kernels.get(self, name, constants)
    }
}

/// Most bytes of one binding within some limits.
pub(crate) fn largest_binding(limits: &wgpu::Limits) -> u64 {
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
}

/// How much of a limit something needs.
pub(crate) struct LimitNeed {
    pub limit: &'static str,
    pub what: String,
    pub amount: u64,
    pub read: fn(&wgpu::Limits) -> u64,
    pub raise: fn(&mut wgpu::Limits, u64),
}

/// All adapters that can compute at the portable floor, best first.
async fn adapters() -> Vec<wgpu::Adapter> {
    // OpenGL is the fallback of every platform, and its libraries complain aloud where there is no display: only if need be.
    let mut adapters = Vec::new();
    for backends in [wgpu::Backends::PRIMARY, wgpu::Backends::GL] {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.backends &= backends;
        adapters.extend(wgpu::Instance::new(descriptor).enumerate_adapters(backends).await);
        adapters.retain(|adapter| wgpu::Limits::default().check_limits(&adapter.limits()));
        if !adapters.is_empty() {
            break;
        }
    }
    adapters.sort_by_key(|adapter| rank(&adapter.get_info()));
    adapters
}

/// Best first. Of the drivers without a GPU SwiftShader is the slower one, see docs/performance.md.
fn rank(info: &wgpu::AdapterInfo) -> u32 {
    match info.device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu if !info.name.contains("SwiftShader") => 4,
        wgpu::DeviceType::Cpu => 5,
    }
}

fn choose(adapters: &[wgpu::Adapter], options: &GpuOptions) -> Result<usize, Error> {
    if adapters.is_empty() {
        return Err(Error::NoAdapter);
    }
    let variable = std::env::var(ADAPTER_VARIABLE).ok().filter(|name| !name.is_empty());
    let Some(wanted) = options.adapter.clone().or(variable) else { return Ok(0) };
    let names: Vec<String> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
    let lower = wanted.to_lowercase();
    names
        .iter()
        .position(|name| name.to_lowercase().contains(&lower))
        .ok_or_else(|| Error::NoSuchAdapter { wanted, available: names.join(", ") })
}

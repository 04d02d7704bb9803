//! The device: opened by tenter, or given by the host.

use super::{
    calls::Scopes,
    faults::Faults,
    kernel::{Constants, Kernel, KernelCache},
    loss::Probe,
    requirements, self_test,
    shader::Launch,
    wait,
};
use crate::{Error, inject};
use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// Environment variable that selects an adapter by a part of its name.
const ADAPTER_VARIABLE: &str = "TENTER_ADAPTER";

/// Advice where an adapter cannot simulate.
const OTHER_ADAPTER: &str = "Use another adapter or a newer driver, or run on the CPU: --backend cpu, Backend::Cpu";

/// Time limit for each wait while a device is opened.
const OPENING: Duration = Duration::from_secs(30);

/// Options of a device that tenter opens.
///
/// Fields may be added in any release: build it as `GpuOptions { timestamps: true, ..Default::default() }`.
#[derive(Debug, Clone, Default)]
pub struct GpuOptions {
    /// Part of the adapter's name, in any case. Default: `TENTER_ADAPTER`, or else hardware before software.
    pub adapter: Option<String>,
    /// Required limits beyond `wgpu::Limits::default()`.
    pub limits: wgpu::Limits,
    /// Whether to enable timestamps, if the adapter has them.
    pub timestamps: bool,
    /// The mapping of rows to threads. Default: by the type of the device.
    pub launch: Option<Launch>,
}

/// A device and queue to simulate on. A clone is the same device; several simulations can share one.
#[derive(Debug, Clone)]
pub struct Gpu(Arc<Shared>);

/// State shared by all clones of a [`Gpu`].
#[derive(Debug)]
struct Shared {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// Adapter and options of a device that tenter opened, from which a scene with larger limits gets a device of its own. `None` for the host's device.
    origin: Option<(wgpu::Adapter, GpuOptions)>,
    info: wgpu::AdapterInfo,
    faults: Faults,
    scopes: Scopes,
    probe: Probe,
    kernels: KernelCache,
    /// Set after the self-test has passed.
    tested: OnceLock<()>,
    /// Time that blocking calls have spent waiting, ns.
    waited: AtomicU64,
}

/// Description of an adapter, and whether tenter would use it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AdapterSummary {
    /// Name, type and driver, from wgpu.
    pub info: wgpu::AdapterInfo,
    /// Limits of the adapter, from wgpu.
    pub limits: wgpu::Limits,
    /// Whether the adapter has timestamps, with which stages are timed.
    pub timestamps: bool,
    /// Whether [`Gpu::headless`] would choose this adapter.
    pub chosen: bool,
}

impl Gpu {
    /// Opens a device without a window: hardware before software.
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

    /// Opens a device with these options.
    pub fn with_options(options: GpuOptions) -> Result<Self, Error> {
        wait::drive(OPENING, Self::with_options_async(options))
    }

    /// Opens a device with these options, without blocking; see [`Gpu::with_options`].
    pub async fn with_options_async(options: GpuOptions) -> Result<Self, Error> {
        let mut found = adapters().await;
        let ix = choose(&found, &options)?;
        Self::open(found.usable.swap_remove(ix), options).await
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
            probe: Probe::default(),
            kernels: KernelCache::default(),
            tested: OnceLock::new(),
            waited: AtomicU64::new(0),
        }))
    }

    /// Uses the host's device. Its callbacks stay untouched; error scopes catch errors of tenter's own calls.
    pub fn from_wgpu(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let info = device.adapter_info();
        Self::new(device, queue, None, info, Faults::default())
    }

    /// All adapters, best first. The list is empty in a browser, which reveals only one adapter, and only asynchronously.
    pub fn adapters() -> Vec<AdapterSummary> {
        let found = wait::drive(OPENING, async { Ok(adapters().await) }).unwrap_or_default();
        let chosen = choose(&found, &GpuOptions::default()).ok();
        let summary = |(ix, adapter): (usize, &wgpu::Adapter)| AdapterSummary {
            info: adapter.get_info(),
            limits: adapter.limits(),
            timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
            chosen: chosen == Some(ix),
        };
        found.usable.iter().enumerate().map(summary).collect()
    }

    /// Checks that the device can simulate at all. A device that tenter opened can, unless [`GpuOptions::limits`] are small.
    pub(crate) fn check_device(&self) -> Result<(), Error> {
        requirements::device_lacks(&self.device().limits()).map_or(Ok(()), |lacks| {
            Err(Error::Unsuitable {
                adapter: format!("the device on {}", title(self.info())),
                task: "simulate",
                lacks,
                remedy: if self.is_hosts() {
                    "Request the device with wgpu::Limits::default() at least, or run on the CPU: Backend::Cpu"
                } else {
                    "Leave GpuOptions::limits at their defaults or raise them"
                },
            })
        })
    }

    /// Checks that the adapter can draw on these targets. The adapter of a host's device is not known: wgpu judges by itself there.
    #[cfg(feature = "cli")]
    pub(crate) fn check_drawing(&self, targets: &[requirements::TargetNeed]) -> Result<(), Error> {
        let Some((adapter, _)) = &self.0.origin else { return Ok(()) };
        let flags = adapter.get_downlevel_capabilities().flags;
        let lacks = requirements::drawing_lacks(flags, |format| adapter.get_texture_format_features(format), targets);
        lacks.map_or(Ok(()), |lacks| {
            Err(Error::Unsuitable {
                adapter: title(self.info()),
                task: "draw pictures",
                lacks,
                remedy: requirements::WITHOUT_PICTURES,
            })
        })
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

    /// Largest size of one binding, bytes.
    pub(crate) fn largest_binding(&self) -> u64 {
        largest_binding(&self.possible_limits())
    }

    /// Limits that a device could have: those of the adapter if tenter opened the device, or else those of the host's device.
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

    /// Description of the adapter.
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.0.info
    }

    /// Whether shaders run on the CPU, where launches and barriers cost more than loads.
    pub fn is_software(&self) -> bool {
        self.info().device_type == wgpu::DeviceType::Cpu
    }

    /// The mapping of rows to threads on this device: by its type, or by [`GpuOptions::launch`].
    pub(crate) fn launch(&self) -> Launch {
        let wanted = self.0.origin.as_ref().and_then(|origin| origin.1.launch);
        wanted.unwrap_or(if self.is_software() { Launch::Software } else { Launch::Hardware })
    }

    /// Whether the device belongs to the host, which receives uncaptured errors and the loss of the device.
    pub(crate) fn is_hosts(&self) -> bool {
        self.0.origin.is_none()
    }

    pub(crate) fn faults(&self) -> &Faults {
        &self.0.faults
    }

    pub(crate) fn scopes(&self) -> &Scopes {
        &self.0.scopes
    }

    pub(crate) fn probe(&self) -> &Probe {
        &self.0.probe
    }

    /// Polls the device and runs callbacks that are due, without waiting. In a browser the event loop does that.
    ///
    /// Futures of tenter proceed when the device is polled. A native program that awaits them calls this from time to time, unless it submits work of
    /// its own to the same device.
    pub fn poll(&self) -> Result<(), Error> {
        self.poll_device(wgpu::PollType::Poll).map(|_| ())
    }

    /// Polls the device. wgpu panics if a driver reports a lost device during a wait; this function catches the panic. Returns whether the submission was done
    /// in time.
    pub(crate) fn poll_device(&self, how: wgpu::PollType) -> Result<bool, Error> {
        if inject::due() {
            return Ok(false);
        }
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.device().poll(how)));
        match polled {
            Ok(Err(wgpu::PollError::Timeout)) => Ok(false),
            Ok(_) => Ok(true),
            Err(_) => {
                self.faults().lose("the driver lost it while wgpu waited for its work");
                self.faults().check_lost().map(|()| false)
            }
        }
    }

    /// Time that blocking calls have spent waiting for this device since it was opened; the rest of their time is the host's own.
    pub fn time_waited(&self) -> Duration {
        Duration::from_nanos(self.0.waited.load(Ordering::Relaxed))
    }

    /// Adds the time of a blocking wait.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn note_wait(&self, time: Duration) {
        self.0.waited.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Runs the self-test, on the first call only.
    pub(crate) async fn test(&self) -> Result<(), Error> {
        if self.0.tested.get().is_none() {
            self_test::run(self).await?;
            let _ = self.0.tested.set(());
        }
        Ok(())
    }

    /// A kernel, compiled on the first call.
    pub(crate) fn kernel(&self, name: &'static str) -> Result<Arc<Kernel>, Error> {
        self.0.kernels.get(self, name, &Constants::new())
    }

    /// A kernel with values for its `override`s, compiled on the first call.
    pub(crate) fn kernel_with(&self, name: &'static str, constants: &Constants) -> Result<Arc<Kernel>, Error> {
        self.0.kernels.get(self, name, constants)
    }
}

/// Largest size of one binding within these limits, bytes.
pub(crate) fn largest_binding(limits: &wgpu::Limits) -> u64 {
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
}

/// Need of one limit.
pub(crate) struct LimitNeed {
    pub limit: &'static str,
    pub what: String,
    pub amount: u64,
    pub read: fn(&wgpu::Limits) -> u64,
    pub raise: fn(&mut wgpu::Limits, u64),
}

/// Adapters of this machine.
#[derive(Debug, Default)]
struct Adapters {
    /// Adapters that support compute at the portable limits, best first.
    usable: Vec<wgpu::Adapter>,
    /// Other adapters, with what they lack.
    refused: Vec<(wgpu::AdapterInfo, String)>,
}

/// All adapters.
async fn adapters() -> Adapters {
    // OpenGL is the fallback of every platform, and its libraries print complaints where there is no display; it is enumerated only if needed.
    let mut found = Adapters::default();
    for backends in [wgpu::Backends::PRIMARY, wgpu::Backends::GL] {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.backends &= backends;
        for adapter in wgpu::Instance::new(descriptor).enumerate_adapters(backends).await {
            match requirements::adapter_lacks(&adapter.limits(), adapter.get_downlevel_capabilities().flags) {
                None => found.usable.push(adapter),
                Some(lacks) => found.refused.push((adapter.get_info(), lacks)),
            }
        }
        if !found.usable.is_empty() {
            break;
        }
    }
    found.usable.sort_by_key(|adapter| rank(&adapter.get_info()));
    found.refused.sort_by_key(|(info, _)| rank(info));
    found
}

/// Name of an adapter and its API, as errors give them.
fn title(info: &wgpu::AdapterInfo) -> String {
    format!("{} ({})", info.name, info.backend)
}

/// Rank of an adapter, best first. Of the drivers without a GPU SwiftShader is the slower one, see docs/performance.md.
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

fn choose(found: &Adapters, options: &GpuOptions) -> Result<usize, Error> {
    let variable = std::env::var(ADAPTER_VARIABLE).ok().filter(|name| !name.is_empty());
    let wanted = options.adapter.clone().or(variable);
    let named = |info: &wgpu::AdapterInfo| {
        wanted.as_ref().is_none_or(|wanted| info.name.to_lowercase().contains(&wanted.to_lowercase()))
    };
    if let Some(ix) = found.usable.iter().position(|adapter| named(&adapter.get_info())) {
        return Ok(ix);
    }
    let refused = found.refused.iter().find(|(info, _)| named(info));
    let usable = found.usable.iter().map(wgpu::Adapter::get_info);
    let names: Vec<String> =
        usable.chain(found.refused.iter().map(|(info, _)| info.clone())).map(|it| it.name).collect();
    Err(match (refused, wanted) {
        (Some((info, lacks)), _) => {
            Error::Unsuitable { adapter: title(info), task: "simulate", lacks: lacks.clone(), remedy: OTHER_ADAPTER }
        }
        (None, Some(wanted)) if !names.is_empty() => Error::NoSuchAdapter { wanted, available: names.join(", ") },
        _ => Error::NoAdapter,
    })
}

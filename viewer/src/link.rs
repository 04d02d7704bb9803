//! What the interface and the simulation share: commands one way, status the other.

use crate::setup::Setup;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};
use tenter::{
    Air, Costs, Pace, Pose, SceneFile, StepRecord,
    glam::Vec3,
    view::{Colouring, Pick, View},
};

/// What the interface asks of the simulation.
pub enum Command {
    /// Load a scene from its start.
    Load(Setup),
    /// Rebuild the scene with other numbers; the state is kept if it fits.
    Rebuild(Setup),
    /// Let time go on, or stop it.
    Play(bool),
    /// Make one step.
    Step,
    /// Go back to the start.
    Reset,
    /// Change gravity, m/s².
    Gravity(Vec3),
    /// Change the air.
    Air(Air),
    /// Change the length of a step, s.
    TimeStep(f64),
    /// Take hold of a picked place with this strength.
    Grab(Pick, f32),
    /// Pull what is held to a place, m.
    Pull(Vec3),
    /// Let go of what is held.
    Release,
    /// Hold what is held where it is, or let go of everything that is held.
    Pin,
    Unpin,
    /// Throw a ball of this radius from a place with a velocity, m and m/s.
    Throw {
        from: Vec3,
        velocity: Vec3,
        radius: f32,
    },
    /// Move a collider to a place, m.
    MoveCollider(tenter::ColliderId, Vec3),
    /// Colour by a quantity.
    Colour(Colouring),
    /// Give the state to save.
    Checkpoint,
    /// Keep the frames of the last seconds, or no more.
    Record(bool),
}

/// What the simulation tells the interface.
#[derive(Default)]
pub struct Status {
    /// The scene that is simulated.
    pub file: Option<Arc<SceneFile>>,
    /// Counts scenes, so that the interface notices a new one.
    pub generation: u64,
    /// Whether a scene is being built.
    pub loading: bool,
    pub playing: bool,
    /// Whether frames are kept.
    pub recording: bool,
    /// Simulated time, s.
    pub time: f64,
    pub steps: u64,
    pub records: VecDeque<StepRecord>,
    pub costs: Option<Costs>,
    pub poses: Vec<Pose>,
    /// The place that is held, m, and where it is pulled to.
    pub grip: Option<[Vec3; 2]>,
    /// Places that are pinned by hand.
    pub pinned: usize,
    /// Time that the last step took on the clock, s.
    pub step_seconds: f64,
    /// Factor between simulated time and time on the clock.
    pub real_time: f64,
    /// Largest value of the colours.
    pub most: f32,
    pub colouring: Colouring,
    /// The last thing that went wrong.
    pub error: Option<String>,
    /// A scene that was dropped on the window, once it has been read.
    pub dropped: Option<Setup>,
    /// A checkpoint that was asked for.
    pub checkpoint: Option<Vec<u8>>,
    /// Frames of the last seconds: time and positions.
    pub frames: VecDeque<(f64, Vec<Vec3>)>,
}

/// Records that the plots show.
pub const MOST_RECORDS: usize = 400;

/// The shared state.
pub struct Link {
    commands: Mutex<(Vec<Command>, Option<Waker>)>,
    status: Mutex<Status>,
    view: Mutex<Option<View>>,
    /// Simulated time that is due, s, and the speed that is asked for.
    due: Mutex<(f64, f64)>,
    pub pace: Pace,
}

impl Link {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            commands: Mutex::default(),
            status: Mutex::default(),
            view: Mutex::default(),
            due: Mutex::new((0.0, 1.0)),
            pace: Pace::new(64),
        })
    }

    /// Sends a command.
    pub fn send(&self, command: Command) {
        let mut commands = lock(&self.commands);
        // The newest place of the mouse is the one that counts.
        if matches!(command, Command::Pull(_)) {
            commands.0.retain(|known| !matches!(known, Command::Pull(_)));
        }
        commands.0.push(command);
        if let Some(waker) = commands.1.take() {
            waker.wake();
        }
    }

    /// The commands since the last call.
    pub fn take(&self) -> Vec<Command> {
        std::mem::take(&mut lock(&self.commands).0)
    }

    /// Waits for a command, or for time to simulate if there may be some.
    pub async fn wait(&self, playing: bool, step: f64) {
        std::future::poll_fn(|context| {
            let mut commands = lock(&self.commands);
            if !commands.0.is_empty() || (playing && self.due() >= step) {
                return Poll::Ready(());
            }
            commands.1 = Some(context.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// A frame of the interface has gone by, s: simulated time is due. What cannot be made up within some frames is dropped.
    pub fn frame(&self, seconds: f64) {
        let mut due = lock(&self.due);
        due.0 = (due.0 + seconds * due.1).min(0.1 * due.1.max(0.2));
        drop(due);
        if let Some(waker) = lock(&self.commands).1.take() {
            waker.wake();
        }
    }

    /// Simulated time that is due, s.
    pub fn due(&self) -> f64 {
        lock(&self.due).0
    }

    /// A step was made.
    pub fn pay(&self, step: f64) {
        lock(&self.due).0 -= step;
    }

    /// Sets the speed: 1 is real time.
    pub fn set_speed(&self, speed: f64) {
        *lock(&self.due) = (0.0, speed);
    }

    pub fn status(&self) -> MutexGuard<'_, Status> {
        lock(&self.status)
    }

    pub fn view(&self) -> MutexGuard<'_, Option<View>> {
        lock(&self.view)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

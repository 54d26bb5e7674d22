//! Figures of this process for Prometheus. A process is one server, so there is one registry.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::fmt;
use std::sync::LazyLock;

/// One label: its name and its value.
pub type Label = [(&'static str, &'static str); 1];
/// Two labels.
type Labels = [(&'static str, &'static str); 2];

/// The name, machine and version of a worker.
pub type WorkerLabels = [(&'static str, String); 3];

/// Upper bounds in seconds.
const BUCKETS: [f64; 8] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0];

/// The metrics; `/metrics` shows each with its help text.
pub struct Metrics {
    registry: Registry,
    /// Judgings that got a verdict, by `verdict`.
    pub judged: Family<Label, Counter>,
    /// Deliveries of units that were delivered before.
    pub retries: Counter,
    /// Workers that judge now.
    pub busy: Gauge,
    /// Units, by `priority`.
    pub waiting: Family<Label, Gauge>,
    /// Age of the oldest waiting unit, by `priority`.
    pub oldest: Family<Label, Gauge>,
    /// Units that workers have.
    pub leased: Gauge,
    /// Units that failed too often.
    pub parked: Gauge,
    /// Units that a worker on NATS has, by `name`, `machine` and `version`.
    pub worker_units: Family<WorkerLabels, Gauge>,
    /// Open event streams.
    pub listeners: Gauge,
    /// Requests, by `route` and `status`.
    pub requests: Family<Labels, Counter>,
    /// Time until the head of the response, by `route`.
    pub latency: Family<Label, Histogram>,
}

/// The metrics of this process.
pub static METRICS: LazyLock<Metrics> = LazyLock::new(Metrics::new);

impl Metrics {
    fn new() -> Self {
        let metrics = Metrics {
            registry: Registry::with_prefix("judge"),
            judged: Family::default(),
            retries: Counter::default(),
            busy: Gauge::default(),
            waiting: Family::default(),
            oldest: Family::default(),
            leased: Gauge::default(),
            parked: Gauge::default(),
            worker_units: Family::default(),
            listeners: Gauge::default(),
            requests: Family::default(),
            latency: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
        };
        metrics.registered()
    }

    fn registered(mut self) -> Self {
        let to = &mut self.registry;
        to.register(
            "judged",
            "Judgings that got a verdict since the start",
            self.judged.clone(),
        );
        to.register(
            "retries",
            "Units of the queue that were delivered again since the start",
            self.retries.clone(),
        );
        to.register("workers_busy", "Workers that judge now", self.busy.clone());
        to.register(
            "queue_waiting",
            "Units that wait, or wait again after a failure",
            self.waiting.clone(),
        );
        to.register(
            "queue_oldest_seconds",
            "Age of the oldest waiting unit",
            self.oldest.clone(),
        );
        to.register(
            "queue_leased",
            "Units that workers have",
            self.leased.clone(),
        );
        to.register(
            "queue_parked",
            "Units that failed too often and wait for the jury",
            self.parked.clone(),
        );
        to.register(
            "worker_units",
            "Units that a worker on NATS has; a worker that is gone is left out",
            self.worker_units.clone(),
        );
        to.register(
            "event_listeners",
            "Open event feeds and live pages",
            self.listeners.clone(),
        );
        to.register(
            "requests",
            "Requests since the start",
            self.requests.clone(),
        );
        to.register(
            "request_seconds",
            "Time until the head of the response",
            self.latency.clone(),
        );
        self
    }

    /// In the text format.
    ///
    /// # Errors
    ///
    /// Never: a string accepts every text.
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// Increments a gauge until it is dropped.
pub struct Counted(&'static Gauge);

impl Counted {
    /// Increments the gauge.
    pub fn new(gauge: &'static Gauge) -> Self {
        gauge.inc();
        Counted(gauge)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

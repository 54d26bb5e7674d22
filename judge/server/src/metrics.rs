//! Figures of this process for Prometheus. A process is one server, so there is one registry.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry};
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
        let mut registry = Registry::with_prefix("judge");
        let to = &mut registry;
        let latency: Family<Label, Histogram> =
            Family::new_with_constructor(|| Histogram::new(BUCKETS));
        Metrics {
            judged: add(to, "judged", "Judgings that got a verdict since the start"),
            retries: add(
                to,
                "retries",
                "Units of the queue that were delivered again since the start",
            ),
            busy: add(to, "workers_busy", "Workers that judge now"),
            waiting: add(
                to,
                "queue_waiting",
                "Units that wait, or wait again after a failure",
            ),
            oldest: add(to, "queue_oldest_seconds", "Age of the oldest waiting unit"),
            leased: add(to, "queue_leased", "Units that workers have"),
            parked: add(
                to,
                "queue_parked",
                "Units that failed too often and wait for the jury",
            ),
            worker_units: add(
                to,
                "worker_units",
                "Units that a worker on NATS has; a worker that is gone is left out",
            ),
            listeners: add(to, "event_listeners", "Open event feeds and live pages"),
            requests: add(to, "requests", "Requests since the start"),
            latency: register(
                to,
                "request_seconds",
                "Time until the head of the response",
                latency,
            ),
            registry,
        }
    }

    /// In the text format.
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// A new metric of the registry.
fn add<M: Metric + Clone + Default>(to: &mut Registry, name: &str, help: &str) -> M {
    register(to, name, help, M::default())
}

fn register<M: Metric + Clone>(to: &mut Registry, name: &str, help: &str, metric: M) -> M {
    to.register(name, help, metric.clone());
    metric
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

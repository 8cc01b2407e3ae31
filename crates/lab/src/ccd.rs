//! `xcollide ccd`: do moving vertices and faces, or edges and edges, meet, and when?

mod fraction;
mod queries;

use std::time::Instant;

use serde::Serialize;
use xcollide::predicates::moving::MotionContact;

use crate::exit::{Failure, Status};
use crate::files::Input;
use crate::options::CcdOptions;
use crate::output::{Object, Session, count, nanoseconds, time};
use crate::quantile::ranked;
use queries::{Queries, Query};

#[derive(Serialize)]
struct CcdRecord {
    query: u64,
    collides: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Object<f64>>,
    truth: bool,
    ns: u64,
}

#[derive(Default)]
struct Summary {
    false_negatives: u64,
    false_positives: u64,
    times: Vec<u64>,
}

impl Summary {
    fn add(&mut self, record: &CcdRecord) {
        self.false_negatives += u64::from(record.truth && !record.collides);
        self.false_positives += u64::from(record.collides && !record.truth);
        self.times.push(record.ns);
    }

    fn mean(&self) -> u64 {
        self.times.iter().sum::<u64>().checked_div(self.times.len() as u64).unwrap_or(0)
    }

    fn record(&self) -> Object<Object<u64>> {
        let at = |part: f64| ranked(&self.times, part).1;
        Object(vec![(
            "summary",
            Object(vec![
                ("queries", self.times.len() as u64),
                ("false_negatives", self.false_negatives),
                ("false_positives", self.false_positives),
                ("median_ns", at(0.5)),
                ("mean_ns", self.mean()),
                ("p99_ns", at(0.99)),
                ("max_ns", at(1.0)),
            ]),
        )])
    }

    fn in_words(&self) -> String {
        let at = |part: f64| time(ranked(&self.times, part).1);
        format!(
            "{}: {}, {}; median {}, mean {}, 99 % within {}, longest {}",
            count(self.times.len(), "query", "queries"),
            count(self.false_negatives as usize, "false negative", "false negatives"),
            count(self.false_positives as usize, "false positive", "false positives"),
            at(0.5),
            time(self.mean()),
            at(0.99),
            at(1.0),
        )
    }
}

pub(crate) fn run(options: &CcdOptions, session: &mut Session) -> Result<Status, Failure> {
    let Session { output, progress, .. } = session;
    let mut summary = Summary::default();
    for path in &options.files {
        let primitives = match options.primitives {
            Some(primitives) => primitives,
            None => queries::primitives_of(path)?,
        };
        let Input { name, size, from } = Input::open(path)?;
        let bar = progress.bytes(size);
        let mut queries = Queries::new(&name, from);
        while let Some(Query { points, truth }) = queries.next()? {
            let began = Instant::now();
            let contact = primitives.contact(points, options.width);
            let ns = nanoseconds(began.elapsed());
            let interval = contact.map(|contact| contact.time);
            let record = CcdRecord {
                query: summary.times.len() as u64,
                collides: contact.is_some(),
                time: interval.map(|t| Object(vec![("at_least", t.lo), ("at_most", t.hi)])),
                truth,
                ns,
            };
            output.result(&record, || in_words(&record, contact.as_ref()))?;
            summary.add(&record);
            bar.at(queries.bytes());
        }
    }
    output.result(&summary.record(), || summary.in_words())?;
    Ok(Status::Done)
}

fn in_words(record: &CcdRecord, contact: Option<&MotionContact>) -> String {
    let CcdRecord { query, collides, truth, ns, .. } = record;
    let answer = match contact.map(|contact| contact.time) {
        None => "apart".to_owned(),
        Some(t) if t.lo == t.hi => format!("collides at time {:?}", t.lo),
        Some(t) => format!("collides at a time from {:?} to {:?}", t.lo, t.hi),
    };
    let doubt = if collides == truth { "" } else { ", though the file says otherwise" };
    format!("query {query}: {answer}{doubt} [{}]", time(*ns))
}

#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod candidates;
mod clashes;
mod detector;
mod instance;
mod instance_set;
mod interference;
mod issues;
mod pair_rules;
mod rules;

pub use clashes::{Clash, Clashes, IssueId, PairFailure};
pub use detector::ClashDetector;
pub use instance::{Instance, InstanceError, InstanceId};
pub use instance_set::{InstanceFailure, InstanceSet};
pub use interference::{Interference, PairError, PairRule, examine};
pub use rules::{Ignore, Rules, RulesError, TestRule};

/// Compiles the example of `docs/clash.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/clash.md")]
struct Document;

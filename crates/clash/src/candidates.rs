//! The broad phase: the pairs of instances whose boxes are within the tolerance.

use xcollide_broad::{
    Bounds, BroadPhase, Everything, Interest, Mobility, Pairs, ProxyId, WideTree,
};

use crate::pair_rules::PairRules;
use crate::{InstanceId, InstanceSet};

/// The wanted pairs whose boxes are so near that they may interfere, in ascending order.
///
/// Each box is grown by half of the largest tolerance that its instance has with any other, so boxes overlap where the
/// tolerance of a pair reaches from one to the other.
pub(crate) fn candidates(set: &InstanceSet, rules: &PairRules) -> Vec<[InstanceId; 2]> {
    let mut broad = WideTree::parallel();
    for id in set.ids() {
        let number = id.index() as u32;
        let margin = rules.margin(number);
        let bounds = set.bounds(id);
        let bounds = if margin > 0.0 { bounds.expanded(margin) } else { *bounds };
        let bounds = Bounds::new(bounds).mobility(Mobility::Moving);
        let inserted = broad.insert(ProxyId::new(number, 0), &bounds);
        debug_assert!(inserted.is_ok(), "boxes of placed models are numbers, and indices dense");
    }
    let mut pairs = Pairs::new();
    let wanted = |a: ProxyId, b: ProxyId| rules.rule(a.index(), b.index()).is_some();
    let interest: &dyn Interest = if rules.is_everything() { &Everything } else { &wanted };
    broad.pairs(interest, &mut pairs);
    let id = |proxy: ProxyId| InstanceId::new(proxy.index());
    pairs.overlapping.iter().map(|pair| [id(pair.a), id(pair.b)]).collect()
}

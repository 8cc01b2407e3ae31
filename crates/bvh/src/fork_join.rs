//! Doing two things at once, or many: with rayon's threads where the feature `parallel` is on, one
//! after the other where it is not. What comes out is the same.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Runs both, by two threads if that is worth it, and gives both results.
pub(crate) fn join<A: Send, B: Send>(
    worth_it: bool,
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    if worth_it {
        return rayon::join(a, b);
    }
    let _ = worth_it;
    (a(), b())
}

/// The images of all items, in their order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], image: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    let images = items.par_iter().map(image).collect();
    #[cfg(not(feature = "parallel"))]
    let images = items.iter().map(image).collect();
    images
}

/// The images of all items and their places, in their order.
pub(crate) fn numbered<T: Sync, R: Send>(
    items: &[T],
    image: impl Fn(usize, &T) -> R + Sync + Send,
) -> Vec<R> {
    let image = |(place, item)| image(place, item);
    #[cfg(feature = "parallel")]
    let images = items.par_iter().enumerate().map(image).collect();
    #[cfg(not(feature = "parallel"))]
    let images = items.iter().enumerate().map(image).collect();
    images
}

/// Changes each of the first by the second at the same place.
pub(crate) fn zip<T: Send, U: Sync>(
    items: &mut [T],
    others: &[U],
    change: impl Fn(&mut T, &U) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    items.par_iter_mut().zip(others).for_each(|(item, other)| change(item, other));
    #[cfg(not(feature = "parallel"))]
    items.iter_mut().zip(others).for_each(|(item, other)| change(item, other));
}

/// Something of each part of the items, parts of at most the given length, merged from the left.
///
/// `merge` has to be associative: exactly, so no sums of floating-point numbers.
pub(crate) fn merged<T: Sync, R: Send>(
    items: &[T],
    length: usize,
    of_part: &(impl Fn(&[T]) -> R + Sync),
    merge: &(impl Fn(R, R) -> R + Sync),
) -> R {
    if cfg!(feature = "parallel") && items.len() > length {
        let (left, right) = items.split_at(items.len() / 2);
        let half = |part| merged(part, length, of_part, merge);
        let (left, right) = join(true, || half(left), || half(right));
        return merge(left, right);
    }
    of_part(items)
}

/// Sorts items no two of which are equal.
pub(crate) fn sort<T: Ord + Send>(items: &mut [T]) {
    #[cfg(feature = "parallel")]
    items.par_sort_unstable();
    #[cfg(not(feature = "parallel"))]
    items.sort_unstable();
}

//! Parallel helpers: on rayon's threads with the feature `parallel`, else sequential, with the same results.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Runs both closures, on two threads if `worth_it`.
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

/// The images of all items, in order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], image: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    let images = items.par_iter().map(image).collect();
    #[cfg(not(feature = "parallel"))]
    let images = items.iter().map(image).collect();
    images
}

/// The images of all items and their indices, in order.
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

/// The images of all items, which may be changed, in order.
pub(crate) fn map_mut<T: Send, R: Send>(
    items: &mut [T],
    image: impl Fn(&mut T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    let images = items.par_iter_mut().map(image).collect();
    #[cfg(not(feature = "parallel"))]
    let images = items.iter_mut().map(image).collect();
    images
}

/// Does something with each item, which may be changed.
pub(crate) fn each_mut<T: Send>(
    items: impl ExactSizeIterator<Item = T> + Send,
    action: impl Fn(&mut T) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    if rayon::current_num_threads() > 1 && items.len() > 1 {
        return items.par_bridge().for_each(|mut item| action(&mut item));
    }
    items.for_each(|mut item| action(&mut item));
}

/// Maps parts of at most the given length by `of_part` and merges the results from the left. `merge` must be
/// exactly associative, so not a sum of floating-point numbers.
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

/// Sorts distinct items.
pub(crate) fn sort<T: Ord + Send>(items: &mut [T]) {
    #[cfg(feature = "parallel")]
    items.par_sort_unstable();
    #[cfg(not(feature = "parallel"))]
    items.sort_unstable();
}

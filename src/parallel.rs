//! Work on all cores where the feature `rayon` is on, and on one thread where it is off: the same names, the same results to the bit.

#[cfg(feature = "rayon")]
pub use rayon::prelude::*;

#[cfg(not(feature = "rayon"))]
pub use one_thread::{IntoParallelIterator, ParallelSlice};

/// The part of rayon's interface that tenter uses, on ordinary iterators.
#[cfg(not(feature = "rayon"))]
mod one_thread {
    use std::{ops::Range, slice};

    /// An iterator with the methods of rayon's.
    pub struct Sequential<I>(I);

    impl<I: Iterator> Sequential<I> {
        pub fn with_min_len(self, _: usize) -> Self {
            self
        }

        pub fn enumerate(self) -> Sequential<std::iter::Enumerate<I>> {
            Sequential(self.0.enumerate())
        }

        pub fn map<T, F: FnMut(I::Item) -> T>(self, map: F) -> Sequential<std::iter::Map<I, F>> {
            Sequential(self.0.map(map))
        }

        pub fn zip<T: IntoParallelIterator>(self, other: T) -> Sequential<std::iter::Zip<I, T::Iter>> {
            Sequential(self.0.zip(other.into_par_iter().0))
        }

        pub fn for_each(self, each: impl FnMut(I::Item)) {
            self.0.for_each(each);
        }

        pub fn reduce(self, identity: impl Fn() -> I::Item, both: impl FnMut(I::Item, I::Item) -> I::Item) -> I::Item {
            self.0.fold(identity(), both)
        }

        pub fn collect<C: FromIterator<I::Item>>(self) -> C {
            self.0.collect()
        }

        pub fn collect_into_vec(self, into: &mut Vec<I::Item>) {
            into.clear();
            into.extend(self.0);
        }
    }

    /// A list that can be iterated over.
    pub trait IntoParallelIterator {
        type Iter: Iterator;
        fn into_par_iter(self) -> Sequential<Self::Iter>;
    }

    impl<I: Iterator> IntoParallelIterator for Sequential<I> {
        type Iter = I;
        fn into_par_iter(self) -> Self {
            self
        }
    }

    macro_rules! lists {
        ($([$($generic:tt)*] $list:ty, $iter:ty;)*) => { $(
            impl<$($generic)*> IntoParallelIterator for $list {
                type Iter = $iter;
                fn into_par_iter(self) -> Sequential<$iter> {
                    Sequential(self.into_iter())
                }
            }
        )* };
    }
    lists! {
        [] Range<usize>, Self;
        [T] Vec<T>, std::vec::IntoIter<T>;
        ['a, T] &'a Vec<T>, slice::Iter<'a, T>;
        ['a, T] &'a mut Vec<T>, slice::IterMut<'a, T>;
        ['a, T] &'a [T], slice::Iter<'a, T>;
        ['a, T] &'a mut [T], slice::IterMut<'a, T>;
    }

    /// Several lists in step.
    pub struct InStep<T>(T);

    macro_rules! in_step {
        ($($($list:ident $place:tt),+;)*) => { $(
            impl<$($list: Iterator),+> Iterator for InStep<($($list,)+)> {
                type Item = ($($list::Item,)+);
                fn next(&mut self) -> Option<Self::Item> {
                    Some(($(self.0.$place.next()?,)+))
                }
            }

            impl<$($list: IntoParallelIterator),+> IntoParallelIterator for ($($list,)+) {
                type Iter = InStep<($($list::Iter,)+)>;
                fn into_par_iter(self) -> Sequential<Self::Iter> {
                    Sequential(InStep(($(self.$place.into_par_iter().0,)+)))
                }
            }
        )* };
    }
    in_step! {
        A 0, B 1;
        A 0, B 1, C 2;
        A 0, B 1, C 2, D 3;
        A 0, B 1, C 2, D 3, E 4;
        A 0, B 1, C 2, D 3, E 4, F 5;
        A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    }

    /// Slices with the methods that rayon gives them.
    pub trait ParallelSlice<T> {
        fn par_iter(&self) -> Sequential<slice::Iter<'_, T>>;
        fn par_iter_mut(&mut self) -> Sequential<slice::IterMut<'_, T>>;
        fn par_chunks(&self, size: usize) -> Sequential<slice::Chunks<'_, T>>;
        fn par_chunks_mut(&mut self, size: usize) -> Sequential<slice::ChunksMut<'_, T>>;
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> Sequential<slice::Iter<'_, T>> {
            Sequential(self.iter())
        }

        fn par_iter_mut(&mut self) -> Sequential<slice::IterMut<'_, T>> {
            Sequential(self.iter_mut())
        }

        fn par_chunks(&self, size: usize) -> Sequential<slice::Chunks<'_, T>> {
            Sequential(self.chunks(size))
        }

        fn par_chunks_mut(&mut self, size: usize) -> Sequential<slice::ChunksMut<'_, T>> {
            Sequential(self.chunks_mut(size))
        }
    }
}

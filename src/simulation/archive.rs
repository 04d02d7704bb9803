//! Serialisation of state to little-endian bytes, for checkpoints. Reading validates every value.

use glam::{DQuat, DVec3, Vec3};
use std::collections::BTreeMap;

/// A type that can be written to and read from bytes.
pub(crate) trait Stored: Sized {
    fn put(&self, bytes: &mut Vec<u8>);
    fn take(bytes: &mut &[u8]) -> Result<Self, Damaged>;
}

/// The bytes end too early or are invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Damaged;

/// Splits off the next `count` bytes.
fn next<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8], Damaged> {
    let (first, rest) = bytes.split_at_checked(count).ok_or(Damaged)?;
    *bytes = rest;
    Ok(first)
}

macro_rules! numbers {
    ($($number:ty),*) => { $(
        impl Stored for $number {
            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }

            fn take(bytes: &mut &[u8]) -> Result<Self, Damaged> {
                let first = next(bytes, size_of::<Self>())?;
                first.try_into().map(Self::from_le_bytes).map_err(|_| Damaged)
            }
        }
    )* };
}
numbers!(u8, u32, u64, f32, f64);

/// Implements `Stored` for structs, field by field.
macro_rules! stored {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::simulation::archive::Stored for $name {
            fn put(&self, bytes: &mut Vec<u8>) {
                $( self.$field.put(bytes); )*
            }

            fn take(bytes: &mut &[u8]) -> Result<Self, $crate::simulation::archive::Damaged> {
                Ok(Self { $( $field: $crate::simulation::archive::Stored::take(bytes)?, )* })
            }
        }
    };
}
pub(crate) use stored;

stored!(DVec3 { x, y, z });
stored!(Vec3 { x, y, z });

impl Stored for DQuat {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.to_array().put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Result<Self, Damaged> {
        Stored::take(bytes).map(Self::from_array)
    }
}

impl Stored for bool {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push((*self).into());
    }

    fn take(bytes: &mut &[u8]) -> Result<Self, Damaged> {
        match u8::take(bytes)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damaged),
        }
    }
}

impl Stored for String {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.as_bytes().to_vec().put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Result<Self, Damaged> {
        String::from_utf8(Stored::take(bytes)?).map_err(|_| Damaged)
    }
}

impl<T: Stored> Stored for Option<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.is_some().put(bytes);
        self.iter().for_each(|value| value.put(bytes));
    }

    fn take(bytes: &mut &[u8]) -> Result<Self, Damaged> {
        if bool::take(bytes)? { T::take(bytes).map(Some) } else { Ok(None) }
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn put(&self, bytes: &mut Vec<u8>) {
        (self.len() as u64).put(bytes);
        self.iter().for_each(|value| value.put(bytes));
    }

    fn take(bytes: &mut &[u8]) -> Result<Self, Damaged> {
        let count = u64::take(bytes)?;
        // Every element has at least one byte: an impossible count is rejected before anything is allocated.
        if count > bytes.len() as u64 {
            return Err(Damaged);
        }
        (0..count).map(|_| T::take(bytes)).collect()
    }
}

impl<T: Stored + Copy + Default, const N: usize> Stored for [T; N] {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.iter().for_each(|value| value.put(bytes));
    }

    fn take(bytes: &mut &[u8]) -> Result<Self, Damaged> {
        let mut values = [T::default(); N];
        for value in &mut values {
            *value = T::take(bytes)?;
        }
        Ok(values)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
        self.1.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Result<Self, Damaged> {
        Ok((A::take(bytes)?, B::take(bytes)?))
    }
}

impl<K: Stored + Ord, V: Stored> Stored for BTreeMap<K, V> {
    fn put(&self, bytes: &mut Vec<u8>) {
        (self.len() as u64).put(bytes);
        for (key, value) in self {
            key.put(bytes);
            value.put(bytes);
        }
    }

    fn take(bytes: &mut &[u8]) -> Result<Self, Damaged> {
        Ok(Vec::<(K, V)>::take(bytes)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Everything = (Vec<(u32, Option<DVec3>)>, (BTreeMap<u32, String>, [f64; 3]));

    fn everything() -> Everything {
        let map = BTreeMap::from([(3, "three".to_owned()), (9, String::new())]);
        (vec![(1, None), (7, Some(DVec3::new(1.0, -2.5, f64::MIN_POSITIVE)))], (map, [0.1, f64::INFINITY, -0.0]))
    }

    #[test]
    fn what_is_put_is_taken() {
        let mut bytes = Vec::new();
        everything().put(&mut bytes);
        let mut rest = bytes.as_slice();
        assert_eq!(Everything::take(&mut rest).unwrap(), everything());
        assert!(rest.is_empty());
    }

    #[test]
    fn damage_is_noticed_and_nothing_is_made_room_for() {
        let mut bytes = Vec::new();
        everything().put(&mut bytes);
        for length in 0..bytes.len() {
            assert!(Everything::take(&mut &bytes[..length]).is_err(), "{length}");
        }
        assert!(Vec::<u8>::take(&mut u64::MAX.to_le_bytes().as_slice()).is_err());
        assert!(bool::take(&mut [2].as_slice()).is_err());
        for seed in 0..2000 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut bytes = bytes.clone();
            for _ in 0..3 {
                let place = random.usize(..bytes.len());
                bytes[place] = random.u8(..);
            }
            let _ = Everything::take(&mut bytes.as_slice());
        }
    }
}

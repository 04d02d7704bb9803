//! The camera as given by `--camera`.

use crate::io::CameraTable;
use glam::Vec3;
use std::str::FromStr;

/// `X,Y,Z:X,Y,Z`, the eye and the point it looks at, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraPlace(pub CameraTable);

impl FromStr for CameraPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let point = |text: &str| {
            let numbers: Option<Vec<f32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
            let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
            numbers.and_then(|numbers| <[f32; 3]>::try_from(numbers).ok()).map(Vec3::from_array)
        };
        let places = text.split_once(':').and_then(|(eye, target)| Some((point(eye)?, point(target)?)));
        match places {
            Some((eye, target)) if eye != target => Ok(Self(CameraTable { eye, target, ..Default::default() })),
            _ => Err("not X,Y,Z:X,Y,Z, two different points in m: the eye, and what it looks at".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_points_and_nothing_else() {
        let CameraPlace(camera) = "1,2,-3.5: 0,0,0".parse().unwrap();
        assert_eq!((camera.eye, camera.target), (Vec3::new(1.0, 2.0, -3.5), Vec3::ZERO));
        for wrong in ["", "1,2,3", "1,2:3,4", "1,2,3:1,2,3", "1,2,3:4,5,nan", "1,2,3:4,5,6:7,8,9"] {
            assert!(wrong.parse::<CameraPlace>().is_err(), "{wrong}");
        }
    }
}

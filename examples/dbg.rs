use glam::{DVec3, Vec3};
use tenter::*;
fn main() {
    let angle = 0.4f64;
    let normal = DVec3::new(angle.sin(), angle.cos(), 0.0);
    let down = DVec3::new(angle.cos(), -angle.sin(), 0.0);
    for (name, backend) in [("gpu", Backend::from(&Gpu::headless().unwrap())), ("cpu", Backend::Cpu)] {
        let mut scene = Scene::new();
        scene.add_collider(Collider {
            friction: (0.95 * angle.tan()) as f32,
            ..Collider::plane(Vec3::ZERO, normal.as_vec3())
        });
        let mesh = Mesh { positions: vec![(0.005 * normal).as_vec3()], ..Mesh::default() };
        scene.add(Body::cloth(mesh, Material::loose(Mass::Total(0.1))));
        let mut s = Simulation::new(backend, &scene, Options::default()).unwrap();
        let mut old = 0.0;
        for i in 0..100 {
            s.step().unwrap();
            let v = s.velocities().unwrap()[0].as_dvec3();
            let x = s.positions_f64().unwrap()[0];
            let r = s.finish().unwrap().unwrap();
            let f = s.reactions().unwrap()[0];
            let dv = v.dot(down) - old;
            old = v.dot(down);
            if i < 6 || (dv - 0.00191).abs() > 2e-5 {
                println!(
                    "{name} {i} dv {dv:.6} v {:.5} vn {:.2e} gap {:.2e} it {} c {} {:?} fn {:.5} ft {:.5} res {:.1e}",
                    old,
                    v.dot(normal),
                    x.dot(normal) - 0.005,
                    r.iterations,
                    r.contacts,
                    r.outcome,
                    f.dot(normal),
                    f.dot(down),
                    r.residual
                );
            }
        }
    }
    let mut scene = Scene::new();
    for normal in [Vec3::new(1.0, 0.3, 0.1), Vec3::new(-0.2, 1.0, 0.0), Vec3::new(0.0, 0.4, 1.0)] {
        scene.add_collider(Collider { thickness: 0.0, ..Collider::plane(Vec3::ZERO, normal) });
    }
    let mesh = Mesh { positions: vec![Vec3::new(0.4, 0.5, 0.3)], ..Mesh::default() };
    scene.add(Body::cloth(mesh, Material::loose(Mass::Total(0.1))).moving(Vec3::new(-1.0, 0.0, -1.0)));
    let mut s = Simulation::new(Backend::Cpu, &scene, Options::default()).unwrap();
    for i in 0..100 {
        s.step().unwrap();
        let v = s.velocities().unwrap()[0];
        let x = s.positions().unwrap()[0];
        let r = s.finish().unwrap().unwrap();
        let f = s.reactions().unwrap()[0];
        if i % 5 == 0 || i > 95 {
            println!("{i} x {x} v {v} f {f} c {} it {} {:?}", r.contacts, r.iterations, r.outcome);
        }
    }
}

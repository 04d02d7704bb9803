//! Start and end of a step against their twins.

use super::*;

#[test]
fn begin() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 1, Options { solver: many(), ..Default::default() });
        pair.change_last_velocities(2);
        pair.begin();
        agree("velocities", &pair.vectors("velocities"), &pair.state.velocities);
        agree("residual", &pair.vectors("residual"), &pair.state.residual);
        let previous = pair.read::<layout::Previous>("previous");
        let (previous, kept) = previous.split_at(pair.topology.particle_count());
        let guess: Vec<DVec3> = kept.iter().map(|p| xyz(&p.position)).collect();
        agree("velocity change", &guess, &pair.state.guess);
        differ("the velocity change of another start", &guess, &pair.state.velocities);
        let saved: Vec<DVec3> = previous.iter().map(|p| xyz(&p.velocity)).collect();
        agree("previous velocities", &saved, &pair.state.previous_velocities);
        let saved: Vec<DVec3> = previous.iter().map(|p| xyz(&p.position)).collect();
        agree("previous positions", &saved, &pair.state.previous_positions);

        pair.state = State::new(&pair.topology, &pair.parameters);
        reference::integrate::begin(&pair.topology, &pair.topology.constraints[1..], &pair.parameters, &mut pair.state);
        differ("a pin left out", &pair.vectors("velocities"), &pair.state.velocities);
    }
}

#[test]
fn history() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 13, Options { solver: many(), ..Default::default() });
        let before = pair.state.history.clone();
        pair.run(|engine, timeline| engine.stages.integrate.encode_history(timeline));
        reference::integrate::history(&pair.topology, &pair.parameters, &mut pair.state);
        let vectors = |history: &[[f64; 4]]| -> Vec<DVec3> {
            history.iter().map(|[x, y, z, _]| DVec3::new(*x, *y, *z)).collect()
        };
        let gpu = pair.edge_history();
        agree("history", &vectors(&gpu), &vectors(&pair.state.history));
        differ("history before the step", &vectors(&gpu), &vectors(&before));
        let moved = |memory: EdgeMemory| {
            let edges = pair.topology.edges.iter().zip(&before).zip(&gpu);
            edges
                .filter(|((edge, _), _)| pair.topology.materials[edge.material as usize].memory == memory)
                .filter(|((_, before), after)| before != after)
                .count()
        };
        assert!(moved(EdgeMemory::Plastic) > 20 && moved(EdgeMemory::Series) > 20);
        assert_eq!(moved(EdgeMemory::None), 0);

        // Both ends of an edge hold the same bits, and empty slots hold zeros.
        let sliced = SlicedPattern::build(&pair.topology.pattern.offsets);
        let mut ends = vec![Vec::new(); pair.topology.edges.len()];
        for (place, bits) in sliced.block.iter().zip(pair.read::<[u32; 4]>("history")) {
            match place {
                Some(place) => ends[pair.topology.pattern.incidences[*place as usize].edge as usize].push(bits),
                None => assert_eq!(bits, [0; 4]),
            }
        }
        assert!(ends.iter().all(|ends| ends.len() == 2 && ends[0] == ends[1]));

        // A failed step leaves the memory of edges unchanged.
        let failed = layout::Status { failed: layout::failed::STATE, ..Default::default() };
        pair.engine.device.buffers.write(&pair.engine.device.gpu, "status", 0, &[failed]).unwrap();
        pair.run(|engine, timeline| engine.stages.integrate.encode_history(timeline));
        assert_eq!(pair.edge_history(), gpu);
        // A reset clears the memory of edges.
        pair.reset();
        assert!(pair.edge_history().iter().all(|edge| *edge == [0.0; 4]));
    }
}

#[test]
fn euler_restore_measure_record() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 9, Options { solver: many(), measure: true, ..Default::default() });
        pair.assemble();
        pair.run(|engine, timeline| {
            engine.stages.solve.encode(timeline, 30, false);
            engine.stages.integrate.encode(timeline);
            engine.stages.report.encode(timeline);
        });
        pair.parameters.max_iterations = 30;
        pair.twin_solve();
        assert!(reference::integrate::stage(&mut pair.state));
        agree("positions", &pair.vectors("positions"), &pair.state.positions);
        agree("velocities", &pair.vectors("velocities"), &pair.state.velocities);
        differ("positions before the step", &pair.vectors("positions"), &pair.state.previous_positions);
        differ("velocities before the step", &pair.vectors("velocities"), &pair.state.previous_velocities);
        let published = pair.vectors("published");
        let in_order: Vec<DVec3> = pair.topology.row_of.iter().map(|&row| pair.state.positions[row as usize]).collect();
        agree("published", &published, &in_order);
        differ("published in another order", &published, &pair.state.positions);

        let record = pair.read::<layout::Record>("records")[0];
        let measures = reference::report::measure(&pair.topology, &pair.parameters, &pair.state);
        let ours = DVec3::new(f64::from(record.kinetic), f64::from(record.potential), f64::from(record.elastic));
        let twin = DVec3::new(measures.kinetic, measures.potential, measures.elastic);
        agree("energies", &[ours], &[twin]);
        differ("energies of the start", &[ours], &[twin * DVec3::new(1.0, 1.0, 1.01)]);
        assert!((f64::from(record.largest_strain) / measures.largest_strain - 1.0).abs() < 1e-4);
        assert_eq!((record.step, record.iterations, record.failed), (0, pair.cg.iteration, 0));
        assert!((f64::from(record.residual).powi(2) / (pair.cg.gamma / pair.cg.reference) - 1.0).abs() < 0.05);

        pair.run(|engine, timeline| engine.stages.integrate.encode_restore(timeline));
        let after = pair.state.clone();
        reference::integrate::restore(&mut pair.state);
        agree("restored positions", &pair.vectors("positions"), &pair.state.positions);
        agree("restored velocities", &pair.vectors("velocities"), &pair.state.velocities);
        differ("not restored, positions", &pair.vectors("positions"), &after.positions);
        differ("not restored, velocities", &pair.vectors("velocities"), &after.velocities);
    }
}

#[test]
fn estimate() {
    for launch in Launch::ALL {
        for integrator in [Integrator::ImplicitEuler, Integrator::Bdf2] {
            let options =
                Options { integrator, adaptive: Some(Default::default()), solver: many(), ..Default::default() };
            let mut pair = pair(launch, 14, options.clone());
            pair.engine.time.before = Some(0.02);
            pair.engine.set_time_step(0.01).unwrap();
            pair.parameters.estimate = integrator.estimate(0.01, Some(0.02));
            let count = pair.topology.particle_count();
            let rounded =
                |seed: u64| -> Vec<DVec3> { random_vectors(seed, count).iter().map(|v| v.as_dvec3()).collect() };
            let (new, start, older) = (rounded(1), rounded(2), rounded(3));
            let previous = |velocities: &[DVec3]| -> Vec<layout::Previous> {
                let vector = |v: &DVec3| [v.x as f32, v.y as f32, v.z as f32, 1.0];
                velocities.iter().map(|v| layout::Previous { position: [0.0; 4], velocity: vector(v) }).collect()
            };
            let engine = &pair.engine;
            upload::velocities(&pair.topology, &new, &engine.device.gpu, &engine.device.buffers).unwrap();
            engine.device.buffers.write(&engine.device.gpu, "previous", 0, &previous(&start)).unwrap();
            engine.device.buffers.write(&engine.device.gpu, "older", 0, &previous(&older)).unwrap();
            pair.run(|engine, timeline| {
                engine.stages.integrate.encode_end(timeline);
                engine.stages.report.encode(timeline);
            });
            (pair.state.velocities, pair.state.previous_velocities, pair.state.older_velocities) = (new, start, older);
            let twin = |parameters: &Parameters, constraints: &[Constraint], state: &State| {
                DVec3::X * reference::integrate::estimate(constraints, parameters, state)
            };
            let error = DVec3::X * f64::from(pair.read::<layout::Record>("records")[0].error);
            let constraints = pair.topology.constraints.clone();
            agree("error", &[error], &[twin(&pair.parameters, &constraints, &pair.state)]);
            pair.parameters.estimate = integrator.estimate(0.01, Some(0.019));
            if integrator == Integrator::Bdf2 {
                differ("another ratio", &[error], &[twin(&pair.parameters, &constraints, &pair.state)]);
            }
            // Constrained particles do not count in the error estimate.
            pair.state.velocities[3] *= 100.0;
            pair.parameters.estimate = integrator.estimate(0.01, Some(0.02));
            agree("a pin", &[error], &[twin(&pair.parameters, &constraints, &pair.state)]);
            differ("no pin", &[error], &[twin(&pair.parameters, &[], &pair.state)]);
        }
    }
}

#[test]
fn forces_and_verlet() {
    for launch in Launch::ALL {
        for integrator in [Integrator::Verlet, Integrator::Beeman] {
            let options = Options { integrator, time_step: 1e-3, solver: many(), ..Default::default() };
            let mut pair = pair_of(&solid(2), launch, 2, options, |_| {});
            let (topology, parameters) = (pair.topology.clone(), pair.parameters.clone());
            let Kind::Verlet(method) = integrator.kind() else { unreachable!() };
            // Forces are evaluated twice: without a matrix each evaluation overwrites the residual. The second of two steps looks back at the first.
            for before in [None, Some(1e-3)] {
                pair.run(|engine, timeline| {
                    engine.stages.integrate.encode_start(timeline, 0);
                    engine.stages.assembly.encode(timeline, false);
                    engine.stages.assembly.encode(timeline, false);
                });
                pair.state.scheme = integrator.scheme(1e-3, before);
                reference::explicit::begin(&topology.constraints, &parameters, &mut pair.state);
                pair.state.residual.fill(DVec3::ZERO);
                reference::assembly::edges(&topology, &parameters, 1, &mut pair.state);
                differ("no elements", &pair.vectors("residual"), &pair.state.residual);
                reference::assembly::forces(&topology, &parameters, &mut pair.state);
                agree("residual", &pair.vectors("residual"), &pair.state.residual);
                pair.run(|engine, timeline| {
                    timeline.run_all(engine.stages.integrate.explicit_stages());
                    engine.stages.integrate.encode_end(timeline);
                    engine.stages.report.encode(timeline);
                });
                reference::explicit::verlet(&topology, &topology.constraints, &parameters, method, &mut pair.state);
                agree("positions", &pair.vectors("positions"), &pair.state.positions);
                agree("velocities", &pair.vectors("velocities"), &pair.state.velocities);
                differ("velocities before", &pair.vectors("velocities"), &pair.state.previous_velocities);
                let in_order: Vec<DVec3> =
                    topology.row_of.iter().map(|&row| pair.state.positions[row as usize]).collect();
                agree("published", &pair.vectors("published"), &in_order);
            }
            assert_eq!(pair.read::<layout::Record>("records")[1].failed, 0);
            // A particle that is not finite, and one that runs away, are detected.
            for (velocity, failed) in [(f64::NAN, layout::failed::STATE), (1e6, layout::failed::RUNAWAY)] {
                let mut velocities = pair.state.velocities.clone();
                velocities[50] = DVec3::splat(velocity);
                pair.reset();
                pair.engine.set_velocities(&velocities).unwrap();
                pair.run(|engine, timeline| engine.encode(timeline, false));
                assert_ne!(pair.read::<layout::Record>("records")[0].failed & failed, 0, "{velocity}");
            }
        }
    }
}

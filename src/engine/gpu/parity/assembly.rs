//! Assembly against its twins: forces and matrix.

use super::*;

#[test]
fn edges() {
    for launch in Launch::ALL {
        for clamp in [true, false] {
            let mut pair = pair(launch, 2, Options { clamp, solver: many(), ..Default::default() });
            pair.assemble();
            let diagonal: Vec<DMat3> = pair.read::<layout::SymmetricBlock>("diagonal").iter().map(symmetric).collect();
            let residual = pair.vectors("residual");
            let blocks = columns(&pair.blocks());
            agree("blocks", &blocks, &columns(&twin_blocks(&pair.state)));
            agree("diagonal", &columns(&diagonal), &columns(&pair.state.diagonal));
            agree("residual", &residual, &pair.state.residual);

            pair.parameters.clamp = !clamp;
            pair.twin_assemble(&pair.topology.clone());
            differ("the other clamp, blocks", &blocks, &columns(&twin_blocks(&pair.state)));
            differ("the other clamp, diagonal", &columns(&diagonal), &columns(&pair.state.diagonal));
            differ("the other clamp, residual", &residual, &pair.state.residual);
        }
    }
}

#[test]
fn elements() {
    for launch in Launch::ALL {
        for clamp in [true, false] {
            let options = Options { clamp, solver: many(), measure: true, ..Default::default() };
            let mut pair = pair_of(&solid(2), launch, 2, options, |_| {});
            pair.assemble();
            let diagonal: Vec<DMat3> = pair.read::<layout::SymmetricBlock>("diagonal").iter().map(symmetric).collect();
            let residual = pair.vectors("residual");
            let blocks = columns(&pair.full_blocks());
            agree("full blocks", &blocks, &columns(&pair.state.full));
            agree("diagonal", &columns(&diagonal), &columns(&pair.state.diagonal));
            agree("residual", &residual, &pair.state.residual);

            pair.run(|engine, timeline| engine.stages.solve.encode(timeline, 0, false));
            pair.twin_precondition();
            pair.run(|engine, timeline| engine.stages.solve.encode_spmv(timeline));
            reference::solve::spmv(&pair.topology, &mut pair.state);
            agree("w", &pair.product(), &pair.state.w);
            pair.state.full[33] *= 1.5;
            reference::solve::spmv(&pair.topology, &mut pair.state);
            differ("one full block off", &pair.product(), &pair.state.w);

            pair.run(|engine, timeline| engine.stages.report.encode(timeline));
            let elastic = f64::from(pair.read::<layout::Record>("records")[0].elastic);
            let twin = reference::report::measure(&pair.topology, &pair.parameters, &pair.state).elastic;
            assert!((elastic / twin - 1.0).abs() < TOLERANCE, "{elastic} against {twin}");

            pair.parameters.clamp = !clamp;
            pair.twin_assemble(&pair.topology.clone());
            reference::assembly::elements(&pair.topology, &pair.parameters, 0, &mut pair.state);
            differ("the other clamp, full blocks", &blocks, &columns(&pair.state.full));
            differ("the other clamp, residual", &residual, &pair.state.residual);
        }
    }
}

#[test]
fn every_model_in_one_scene() {
    for launch in Launch::ALL {
        let scene = every_model(3);
        let options = Options { solver: many(), ..Default::default() };
        // Materials stay as the scene has them; only `pair` mixes them.
        let plain = Topology::build(&scene, &options).unwrap();
        let mut pair = pair_of(&scene, launch, 3, options, |topology| {
            topology.materials.clone_from(&plain.materials);
            topology.edges.clone_from(&plain.edges);
        });
        pair.reset();
        pair.state = State::new(&pair.topology, &pair.parameters);
        let topology = pair.topology.clone();
        let models: std::collections::BTreeSet<u32> =
            topology.element_materials.iter().map(|material| material.model as u32).collect();
        // No scene uses the toy model: the tests in `models` cover it.
        assert_eq!(models.len(), topology::ElementModel::ALL.len() - 1);
        pair.parameters.air = scene.air.unwrap();
        pair.run(|engine, timeline| engine.stages.assembly.encode_normals(timeline));
        reference::external::normals(topology.fans.as_ref().unwrap(), &mut pair.state);
        pair.assemble();
        reference::external::air(&topology, &pair.parameters, &mut pair.state);
        // Each body is compared by itself, so that no error hides behind a stiffer body.
        let rows_of_body = |body: usize| -> Vec<usize> {
            let first: usize = scene.bodies[..body].iter().map(|body| body.mesh.positions.len()).sum();
            let count = scene.bodies[body].mesh.positions.len();
            topology.row_of[first..first + count].iter().map(|&row| row as usize).collect()
        };
        let residual = pair.vectors("residual");
        let full = pair.full_blocks();
        for body in 0..scene.bodies.len() {
            let rows = rows_of_body(body);
            let pick = |values: &[DVec3]| rows.iter().map(|&row| values[row]).collect::<Vec<_>>();
            agree_within(5e-5, &format!("residual of body {body}"), &pick(&residual), &pick(&pair.state.residual));
            let blocks = |blocks: &[DMat3]| {
                columns(
                    &rows
                        .iter()
                        .flat_map(|&row| blocks[topology.element_pattern.range(row)].to_vec())
                        .collect::<Vec<_>>(),
                )
            };
            if !blocks(&full).is_empty() {
                agree_within(5e-5, &format!("blocks of body {body}"), &blocks(&full), &blocks(&pair.state.full));
                let wrong: Vec<DMat3> = pair.state.full.iter().map(|block| *block * 1.001).collect();
                differ("blocks of another stiffness", &blocks(&full), &blocks(&wrong));
            }
        }
        // Control: a change of any single element material is noticed.
        let right = pair.state.residual.clone();
        for ix in 0..topology.elements.len() {
            if ix % 37 == 0 {
                let mut other = (*topology).clone();
                other.elements[ix].rest.iter_mut().for_each(|value| *value *= 1.2);
                pair.state = State { normals: pair.state.normals.clone(), ..State::new(&other, &pair.parameters) };
                reference::integrate::begin(&other, &other.constraints, &pair.parameters, &mut pair.state);
                reference::assembly::edges(&other, &pair.parameters, 0, &mut pair.state);
                reference::assembly::elements(&other, &pair.parameters, 0, &mut pair.state);
                reference::external::air(&other, &pair.parameters, &mut pair.state);
                assert!(error(&pair.state.residual, &right) > 0.0, "element {ix} does nothing");
            }
        }
    }
}

#[test]
fn edges_of_every_material() {
    for launch in Launch::ALL {
        for clamp in [true, false] {
            let options = Options { clamp, solver: many(), ..Default::default() };
            let mut pair = pair_with(launch, 12, options, |topology| {
                let later = topology.materials.len() - MIXED_MATERIALS;
                for (ix, edge) in topology.edges.iter_mut().step_by(7).enumerate() {
                    edge.material = (MIXED_MATERIALS + ix % later) as u32;
                }
            });
            pair.assemble();
            let topology = pair.topology.clone();
            let (gpu, residual) = (pair.blocks(), pair.vectors("residual"));
            // Each material is compared by itself, so that no error hides behind a stiffer one.
            let of = |ix: u32, blocks: &[DMat3]| -> Vec<DVec3> {
                let own = topology.pattern.incidences.iter().zip(blocks);
                let own = own.filter(|(incidence, _)| topology.edges[incidence.edge as usize].material == ix);
                columns(&own.map(|(_, block)| *block).collect::<Vec<_>>())
            };
            let twin = twin_blocks(&pair.state);
            for (ix, material) in topology.materials.iter().enumerate() {
                let what = format!("{:?} {:?}", material.law, material.memory);
                agree_within(5e-5, &what, &of(ix as u32, &gpu), &of(ix as u32, &twin));
            }
            agree("residual", &residual, &pair.state.residual);

            // Controls: each number of each material changed by itself, or each field of the edges.
            type Change = fn(&mut Topology, usize);
            let changes: [(&str, Change); 7] = [
                ("law", |t, ix| t.materials[ix].law_parameters[0] += 0.02 * t.materials[ix].law_parameters[1] + 3.0),
                ("left out", |t, ix| t.materials[ix].left_out[0] += 5.0),
                ("damping", |t, ix| t.materials[ix].damping *= 1.1),
                ("drag", |t, ix| t.materials[ix].drag *= 1.1),
                ("viscosity of scalars", |t, ix| t.materials[ix].scalar_time += 0.1),
                ("memory", |t, ix| t.materials[ix].memory = EdgeMemory::None),
                ("scalars", |t, _| t.edges.iter_mut().for_each(|edge| edge.scalar *= 1.1)),
            ];
            for (name, change) in changes {
                for (ix, material) in topology.materials.iter().enumerate() {
                    let none = match name {
                        "law" => material.law == Law::None,
                        "left out" => !matches!(material.law, Law::Cubic | Law::CubicAbsolute),
                        "memory" => material.memory == EdgeMemory::None || material.law == Law::None,
                        "damping" | "drag" | "viscosity of scalars" => material.memory == EdgeMemory::Series,
                        _ => false,
                    };
                    if none {
                        continue;
                    }
                    let mut wrong = (*topology).clone();
                    change(&mut wrong, ix);
                    pair.twin_assemble(&wrong);
                    let what = format!("another {name} of {:?} {:?}", material.law, material.memory);
                    differ(&what, &of(ix as u32, &gpu), &of(ix as u32, &twin_blocks(&pair.state)));
                }
            }
        }
    }
}

#[test]
fn energies_of_every_material() {
    for launch in Launch::ALL {
        for (ix, material) in every_material().iter().enumerate() {
            let options = Options { solver: many(), measure: true, ..Default::default() };
            let pair = pair_with(launch, 14, options, |topology| {
                topology.edges.iter_mut().for_each(|edge| edge.material = ix as u32);
            });
            pair.run(|engine, timeline| engine.stages.report.encode(timeline));
            let elastic = f64::from(pair.read::<layout::Record>("records")[0].elastic);
            let twin = reference::report::measure(&pair.topology, &pair.parameters, &pair.state).elastic;
            let what = format!("{:?} {:?}: {elastic} against {twin}", material.law, material.memory);
            assert!((elastic / twin - 1.0).abs() < TOLERANCE, "{what}");
            // Control: every value larger by a hundredth.
            let mut other = (*pair.topology).clone();
            other.materials[ix].law_parameters.iter_mut().for_each(|value| *value *= 1.01);
            other.edges.iter_mut().for_each(|edge| edge.scalar *= 1.01);
            let wrong = reference::report::measure(&other, &pair.parameters, &pair.state).elastic;
            assert!((elastic / wrong - 1.0).abs() > 2.0 * TOLERANCE, "{what}");
        }
    }
}

#[test]
fn air_and_loads() {
    for launch in Launch::ALL {
        let mut scene = irregular(5, 13, 11);
        let air = Air {
            wind: Vec3::new(3.0, 1.0, 2.0),
            steady: 0.5,
            angular_velocity: 30.0,
            drag: 0.8,
            lift: 0.3,
            resistance: 0.7,
        };
        scene.air = Some(air);
        scene.push(BodyId(0), Vertices::list([5, 17]), Vec3::new(0.3, -0.2, 0.1));
        let mut pair = pair_of(&scene, launch, 5, Options { solver: many(), ..Default::default() }, |_| {});
        let mut loads = pair.topology.loads.clone();
        loads[1] = topology::PointLoad { stiffness: 40.0, damping: 0.6, target: DVec3::new(0.1, 0.5, 0.2), ..loads[1] };
        pair.engine.set_loads(&loads).unwrap();
        pair.parameters.air = air;
        pair.run(|engine, timeline| engine.stages.assembly.encode_normals(timeline));
        reference::external::normals(pair.topology.fans.as_ref().unwrap(), &mut pair.state);
        let normals = pair.read::<[f32; 4]>("normals");
        let of_twin = |of: fn(&(DVec3, f64)) -> DVec3, state: &State| state.normals.iter().map(of).collect::<Vec<_>>();
        agree("normals", &normals.iter().map(xyz).collect::<Vec<_>>(), &of_twin(|n| n.0, &pair.state));
        let areas: Vec<DVec3> = normals.iter().map(|n| DVec3::splat(n[3].into())).collect();
        agree("areas", &areas, &of_twin(|n| DVec3::splat(n.1), &pair.state));

        pair.begin();
        pair.run(|engine, timeline| engine.stages.assembly.encode(timeline, true));
        let residual = pair.vectors("residual");
        let diagonal = pair.read::<layout::SymmetricBlock>("diagonal");
        let scalars: Vec<DVec3> = diagonal.iter().map(|d| DVec3::splat(d.diagonal[3].into())).collect();
        let begun = pair.state.clone();
        let mut twin = |air: bool, loads: &[topology::PointLoad]| {
            pair.state = begun.clone();
            reference::assembly::edges(&pair.topology, &pair.parameters, 0, &mut pair.state);
            if air {
                reference::external::air(&pair.topology, &pair.parameters, &mut pair.state);
            }
            reference::external::loads(loads, 0, &mut pair.state);
            let scalars: Vec<DVec3> = pair.state.scalar_diagonal.iter().map(|s| DVec3::splat(*s)).collect();
            (pair.state.residual.clone(), scalars, columns(&pair.state.diagonal))
        };
        let (twin_residual, twin_scalars, twin_diagonal) = twin(true, &loads);
        agree("residual", &residual, &twin_residual);
        agree("scalar diagonal", &scalars, &twin_scalars);
        agree("diagonal", &columns(&diagonal.iter().map(symmetric).collect::<Vec<_>>()), &twin_diagonal);
        for (what, air, loads) in
            [("no air", false, &loads[..]), ("no loads", true, &[]), ("no handle", true, &loads[..1])]
        {
            differ(what, &residual, &twin(air, loads).0);
            differ(what, &scalars, &twin(air, loads).1);
        }
    }
}

#[test]
fn blocks_are_symmetric_to_the_bit() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 3, Options { solver: many(), ..Default::default() });
        pair.assemble();
        let blocks = pair.blocks();
        let mut by_edge = vec![Vec::new(); pair.topology.edges.len()];
        for (incidence, block) in pair.topology.pattern.incidences.iter().zip(&blocks) {
            by_edge[incidence.edge as usize].push(*block);
        }
        assert!(by_edge.iter().all(|ends| ends.len() == 2 && ends[0] == ends[1]));
    }
}

#[test]
fn rayleigh_damping() {
    for launch in Launch::ALL {
        let rayleigh = crate::Rayleigh { mass: 7.0, stiffness: 0.02 };
        let options = Options { rayleigh, integrator: Integrator::Theta(0.6), solver: many(), ..Default::default() };
        let mut pair = pair_of(&solid(6), launch, 6, options, |_| {});
        // Forces without a matrix.
        pair.run(|engine, timeline| engine.stages.forces.iter().for_each(|forces| forces.encode(timeline, false)));
        let forces = |parameters: &Parameters, topology: &Topology, state: &mut State| {
            reference::assembly::forces(topology, parameters, state);
            state.residual.clone()
        };
        let (topology, parameters) = (pair.topology.clone(), pair.parameters.clone());
        let without = [
            ("no α", crate::Rayleigh { mass: 0.0, ..rayleigh }),
            ("no β", crate::Rayleigh { stiffness: 0.0, ..rayleigh }),
        ];
        agree("forces", &pair.vectors("residual"), &forces(&parameters, &topology, &mut pair.state));
        for (what, rayleigh) in without {
            let parameters = Parameters { rayleigh, ..parameters.clone() };
            differ(what, &pair.vectors("residual"), &forces(&parameters, &topology, &mut pair.state));
        }
        // Forces and matrix; the scheme evaluates the forces first.
        forces(&parameters, &topology, &mut pair.state);
        pair.assemble();
        let diagonal = pair.read::<layout::SymmetricBlock>("diagonal");
        let scalars: Vec<DVec3> = diagonal.iter().map(|d| DVec3::splat(d.diagonal[3].into())).collect();
        let diagonal = columns(&diagonal.iter().map(symmetric).collect::<Vec<_>>());
        let (residual, full, blocks) =
            (pair.vectors("residual"), columns(&pair.full_blocks()), columns(&pair.blocks()));
        let twin = |state: &State| {
            let scalars: Vec<DVec3> = state.scalar_diagonal.iter().map(|s| DVec3::splat(*s)).collect();
            (scalars, columns(&state.diagonal), columns(&state.full), columns(&twin_blocks(state)))
        };
        let (twin_scalars, twin_diagonal, twin_full, twin_compact) = twin(&pair.state);
        agree("scalar diagonal", &scalars, &twin_scalars);
        agree("diagonal", &diagonal, &twin_diagonal);
        agree("full blocks", &full, &twin_full);
        agree("blocks", &blocks, &twin_compact);
        agree("residual", &residual, &pair.state.residual);
        pair.parameters.rayleigh = crate::Rayleigh::default();
        reference::assembly::edges(&topology, &pair.parameters, 1, &mut pair.state);
        reference::assembly::elements(&topology, &pair.parameters, 1, &mut pair.state);
        let (twin_scalars, twin_diagonal, twin_full, twin_compact) = twin(&pair.state);
        differ("undamped scalars", &scalars, &twin_scalars);
        differ("undamped diagonal", &diagonal, &twin_diagonal);
        differ("undamped full blocks", &full, &twin_full);
        differ("undamped blocks", &blocks, &twin_compact);
    }
}

#[test]
fn later_linearisations_have_no_lead() {
    for launch in Launch::ALL {
        let mut pair = pair(launch, 4, Options { solver: many(), ..Default::default() });
        pair.precondition();
        pair.run(|engine, timeline| {
            engine.stages.integrate.encode_start(timeline, 1);
            engine.stages.assembly.encode(timeline, false);
        });
        reference::integrate::relinearise(&pair.topology, &mut pair.state);
        reference::assembly::edges(&pair.topology, &pair.parameters, 1, &mut pair.state);
        agree("residual", &pair.vectors("residual"), &pair.state.residual);

        reference::integrate::relinearise(&pair.topology, &mut pair.state);
        reference::assembly::edges(&pair.topology, &pair.parameters, 0, &mut pair.state);
        differ("with the lead", &pair.vectors("residual"), &pair.state.residual);
    }
}

#[test]
fn slots_beyond_the_last_row_name_existing_rows() {
    for launch in Launch::ALL {
        let pair = pair(launch, 10, Options::default());
        let count = pair.topology.particle_count() as u32;
        assert_ne!(count as usize % SLICE_ROWS, 0);
        let header = SlicedPattern::build(&pair.topology.pattern.offsets).slice_offsets.len();
        assert!(pair.read::<u32>("pattern")[header..].iter().all(|word| word & 0x7fff_ffff < count));
    }
}

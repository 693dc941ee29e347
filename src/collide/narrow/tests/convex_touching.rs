//! Pairs that touch to round-off or overlap slightly, whose least gap is known to 16 digits. The closest points of such pairs have no direction
//! between them, and at an edge of a mesh each triangle may leave the contact to the other.

use super::scene::{one_way, pose};
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;

/// Of positions around 1 [m].
const ROUND_OFF: f64 = 1e-15;

fn assert_least_gap(a: &(Shape, Pose), b: &(Shape, Pose), expected: f64, bound: f64) {
    for ((a, b), margin) in [((a, b), 0.05), ((b, a), 0.05), ((a, b), 0.14), ((a, b), 1e-3)] {
        let found = one_way((&a.0, &a.1), (&b.0, &b.1), margin);
        let least = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);

        assert!((least - expected).abs() <= bound, "{least:e}, expected {expected:e}: {found:?}");
    }
}

#[test]
fn a_corner_of_a_box_on_a_face_of_a_hull() {
    let corners = [
        [-0.06018509145785155, 0.07921515181367801, -0.020215905860549704],
        [0.033970061365771916, 0.06656458139574556, -0.039883429532633415],
        [0.014441535526659584, -0.04429921812637132, -0.048117288149286064],
        [0.0763669730779563, 0.05394923291400925, -0.01114963878866812],
        [0.08590244252106817, 0.0035370496415962414, -0.0029678724391423348],
    ];
    let turn = [-0.3489365908167258, 0.2945897806691187, 0.5558514171211311, 0.6946145109331878];
    let hull =
        (Shape::hull(&corners).unwrap(), pose([0.6305140671077959, 0.34923954693080655, -1.1004420841588898], turn));
    let turn = [0.4694575889157702, 0.5127316701349772, 0.029911992684507227, 0.7182068499698612];
    let cuboid = Shape::cuboid([0.0895024747463142, 0.08659077505380704, 0.12777118988398728]).unwrap();
    let cuboid = (cuboid, pose([0.4380697476053681, 0.3932686556544185, -0.956525787688467], turn));
    assert_least_gap(&cuboid, &hull, -2.1e-17, ROUND_OFF);
}

#[test]
fn a_corner_of_a_triangle_on_an_edge_of_a_box() {
    let corners = [
        [0.4332248437996093, 0.14802540401569367, -0.355704257185647],
        [0.16578544251693292, -0.1477567450824026, 0.23391341585597267],
        [0.0019321774902400612, -0.06336940085554162, 0.27929020596774023],
    ];
    let turn = [0.7841051588454998, 0.4789824776612078, 0.2844633545589546, -0.2735607535420067];
    let mesh = Shape::mesh(&corners, &[[0, 1, 2]]).unwrap();
    let mesh = (mesh, pose([1.1879530728244379, 0.4490776953081726, -0.7707427687593127], turn));
    let turn = [0.04201607348581565, -0.10603714353739863, 0.35591610936007695, 0.9275313993915512];
    let cuboid = Shape::cuboid([0.06536683962171905, 0.1690146879340186, 0.22296895641846073]).unwrap();
    let cuboid = (cuboid, pose([0.9622791967075288, 0.8185534563275816, -0.5884933893835003], turn));
    assert_least_gap(&cuboid, &mesh, 7.9e-18, ROUND_OFF);
}

#[test]
fn two_tetrahedra_whose_deepest_point_is_on_no_feature_that_faces_the_other() {
    let corners = [
        [0.04677422564038728, -0.19201619900343894, -0.1330223021431202],
        [-0.092, -0.243, -0.034],
        [0.037147211409131096, -0.07025760053092095, -0.1366895587992074],
        [-0.086, 0.204, -0.149],
    ];
    let turn = [-0.17168737945964094, 0.18256993405245742, 0.6280900123148156, -0.736678083931331];
    let first = (Shape::hull(&corners).unwrap(), pose([-0.183, -0.082, 0.063], turn));
    let corners = [
        [-0.1355734522048344, 0.7965646059309658, 0.21718419829812946],
        [-0.158, 0.577, 0.401],
        [0.161, 0.164, 0.537],
        [-0.1486221252300136, 0.6259862123742856, 0.37708796173529796],
    ];
    let turn = [-0.08046253442922405, -0.11759348160737726, -0.8019454208860295, -0.5801560958540473];
    let second = (Shape::hull(&corners).unwrap(), pose([0.456, 0.301, -0.523], turn));
    assert_least_gap(&first, &second, -0.00010297673786986324, ROUND_OFF);
}

/// The twelve triangles of a box with these half extents.
fn box_mesh([x, y, z]: [f64; 3]) -> Shape {
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|at| {
            [if at & 4 == 0 { -x } else { x }, if at & 2 == 0 { -y } else { y }, if at & 1 == 0 { -z } else { z }]
        })
        .collect();
    let triangles = [
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ];
    Shape::mesh(&corners, &triangles).unwrap()
}

#[test]
fn a_box_that_barely_overlaps_an_edge_of_a_closed_mesh() {
    let mesh = box_mesh([0.054589121751619694, 0.08620066249346862, 0.08208365955628924]);
    let turn = [0.49595507582658016, 0.0985866996416198, -0.8572170175063797, 0.09740744485454572];
    let mesh = (mesh, pose([0.7697794870119388, 0.4597059027279364, 0.9000032509567945], turn));
    let turn = [0.4517684033572629, 0.6832080317871447, 0.5139867191340932, -0.2548524035266998];
    let cuboid = (Shape::cuboid([0.190055, 0.207626, 0.15689]).unwrap(), pose([0.5409, 0.1579, 0.7646], turn));
    // The least translation of a single triangle is a little less than that of the mesh.
    assert_least_gap(&cuboid, &mesh, -2.4622041803065803e-10, 1e-9 * 0.13);
}

#[test]
fn a_plate_thinner_than_the_margin_rests_on_its_lower_corners() {
    let plate = Shape::cuboid([0.2, 0.3, 0.1]).unwrap();
    let ground = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    for tilt in [0.0, 1e-12, 4e-10, 1e-9, 1e-7, 1e-5] {
        let turn = Quat::from_scaled_axis(tilt * Vec3::new(1.0, 0.4, 0.0));
        let pose = Pose::new(Vec3::new(0.0, 0.0, 0.1), turn);
        let found = one_way((&plate, &pose), (&ground, &Pose::world()), 0.5);
        let corners = (0..4).map(|at| {
            let side = |bit: usize, half: f64| if at & bit == 0 { half } else { -half };
            pose.to_world(&Vec3::new(side(1, 0.2), side(2, 0.3), -0.1)).z
        });
        for corner in corners {
            let near = found.iter().filter(|contact| (contact.gap - corner).abs() <= 1e-16).count();
            assert!(near > 0, "{corner:e} at a tilt of {tilt:e}: {found:?}");
        }
    }
}

#[test]
fn a_search_whose_planes_round_off_leaves_in_two_patches_ends() {
    let turn = [0.3579431559105588, -0.05194368151273439, 0.574140221356988, 0.7345349258597863];
    let cylinder = Shape::cylinder(0.15292132303255185, 0.09361323300936975).unwrap();
    let cylinder = (cylinder, pose([0.8800378274352371, -0.849008852732356, -0.7609094658682644], turn));
    let turn = [0.508479283137238, 0.14539117516332062, -0.8038759361390879, -0.27220158724991694];
    let cuboid = Shape::cuboid([0.3191133523588193, 0.17104121989184834, 0.20956598868402734]).unwrap();
    let cuboid = (cuboid, pose([0.7353917812075559, -1.0334891303920493, -0.37955760913944686], turn));
    assert_least_gap(&cuboid, &cylinder, -0.01339408705397263, 1e-10);
}

#[test]
fn edges_turned_by_2e_7_against_each_other() {
    let first = (
        Shape::cuboid([0.019039120056860332, 0.08893652520999737, 0.05026441731096559]).unwrap(),
        pose(
            [0.9572650356484556, 0.22644141576971175, -0.8146288786239523],
            [-0.4884278268223675, -0.6205836958498467, -0.3996689399628267, -0.46538035289418345],
        ),
    );
    let second = (
        Shape::mesh(
            &[
                [-0.029388441962381228, -0.08807443861667248, -0.1104368852028475],
                [0.11684617229643442, 0.05898429011753256, 0.0007924110471590776],
                [0.07106311917932953, -0.11863777829310172, 0.025181411753559833],
            ],
            &[[0, 1, 2]],
        )
        .unwrap(),
        pose(
            [1.0054668094886277, 0.2621780629295505, -0.6387214588387743],
            [-0.5530499588532526, -0.4973572692988526, 0.5041549007738431, -0.43886139692814274],
        ),
    );
    assert_least_gap(&first, &second, 3.14062111830137e-08, ROUND_OFF);
}

#[test]
fn two_boxes_whose_edges_touch() {
    let first = (
        Shape::cuboid([0.624123434865611, 0.2574378930845727, 0.34884844209835464]).unwrap(),
        pose(
            [-0.5266200693354918, 0.4842490966783973, -0.039994971822320674],
            [-0.762252241943422, 0.459570449063533, 0.325755146229509, -0.3188261386786859],
        ),
    );
    let second = (
        Shape::cuboid([0.19853480299576495, 0.7537745712762288, 0.3227573482930748]).unwrap(),
        pose(
            [0.6336380408816802, 0.01259656687675027, -0.5437447268668799],
            [-0.5482154210604591, -0.29254635892676634, -0.11097277371716718, 0.7756039733547744],
        ),
    );
    assert_least_gap(&first, &second, 5.4803642118785305e-17, ROUND_OFF);
}

#[test]
fn a_corner_of_a_mesh_close_to_the_edge_of_a_box() {
    let first = (
        Shape::cuboid([0.020710794950650195, 0.11795335667969756, 0.09763973169069902]).unwrap(),
        pose(
            [0.07658340565681868, 0.10835479531283619, -0.05100166381804815],
            [-0.09380818270430603, -0.7008566364512185, 0.09380818270430602, 0.7008566364512185],
        ),
    );
    let turn = [0.686925846288035, -0.16772859536008422, -0.6869258462880351, -0.16772859536008422];
    let mesh = box_mesh([0.17516541589642645, 0.07135904505863462, 0.13741210885019062]);
    let second = (mesh, pose([-0.046404716076192495, -7.19554721526157e-18, 0.1751657685161786], turn));
    assert_least_gap(&first, &second, 3.526197521241379e-07, ROUND_OFF);
}

/// The corner of the box that is deepest is beside the end, and no corner of the octagon in it is as deep.
#[test]
fn the_end_of_a_cylinder_over_the_edge_of_a_box() {
    let first = (
        Shape::cuboid([0.03983472397519502, 0.13972227813156013, 0.09348917761452494]).unwrap(),
        pose(
            [-0.6090897012978727, 0.1571561755747151, 0.10693554122135712],
            [-0.5622662763027719, -0.7612165892266365, 0.20450347081382325, -0.2501684817155848],
        ),
    );
    let second = (
        Shape::cylinder(0.12004782823644528, 0.19524008139835172).unwrap(),
        pose(
            [-0.3968889054142324, 0.3457397546462178, 0.005929426133383971],
            [0.2409958192473575, -0.6536178596565787, -0.04722098015741734, 0.715873513741234],
        ),
    );
    assert_least_gap(&first, &second, -8.324318609196353e-08, 1e-9 * 0.17);
}

/// The least translation of a single triangle is a little more than that of the mesh.
#[test]
fn a_cylinder_that_overlaps_an_edge_of_a_closed_mesh() {
    let first = (
        Shape::cylinder(0.06317809575109883, 0.16203853388639558).unwrap(),
        pose(
            [0.5067655942207436, -0.027519690631990557, 0.23543818923708382],
            [0.2921652546505399, 0.022087498945384906, -0.27380736524611915, -0.9160683015486897],
        ),
    );
    let second = (
        Shape::mesh(
            &[
                [-0.05261817142215987, -0.03926381071521888, -0.11606494451346594],
                [-0.00022437025292750836, -0.10517533309154566, -0.10189478799092995],
                [0.01689778880019235, -0.06307451863214594, 0.004832091111355921],
                [-0.010682330388209971, -0.022058661670137727, 0.11024431707786068],
                [-0.013570417033299515, -0.0966594273640943, -0.034765825141982655],
            ],
            &[[0, 2, 1], [0, 1, 4], [0, 3, 2], [0, 4, 3], [1, 2, 4], [2, 3, 4]],
        )
        .unwrap(),
        pose(
            [0.6295475192547572, 0.06189463924371021, 0.2887510455316278],
            [0.30843683490302076, -0.8782655206873241, 0.2801802242268929, -0.23455369534287532],
        ),
    );
    assert_least_gap(&first, &second, -0.006142826212202964, 1e-5 * 0.15);
}

//! Pairs whose least gap is known to 16 digits: those of `tests/geometry` that were once wrong. Boxes, cylinders and triangles
//! nearly lie on each other there, or overlap so little that two axes are nearly as good.

use super::scene::{one_way, pose};
use crate::math::Pose;
use crate::shape::Shape;

fn assert_least_gap(a: (Shape, Pose), b: (Shape, Pose), expected: f64) {
    for (a, b) in [(&a, &b), (&b, &a)] {
        let found = one_way((&a.0, &a.1), (&b.0, &b.1), 0.05);
        let least = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        // Round-off of positions around 1, and of cylinders whose search ends at 1e-13 of the size.
        assert!((least - expected).abs() <= 2e-14, "{least:e}, expected {expected:e}: {found:?}");
    }
}

#[test]
fn the_least_gap_of_a_box_and_a_cylinder_that_nearly_lies_on_it() {
    let turn = [-0.49768642473208385, -0.6181729871024766, 0.14542170684939026, 0.5907816075600248];
    let cuboid = Shape::cuboid([0.045538292916862545, 0.04940332842280351, 0.07672783649983135]).expect("a box");
    let a = pose([-0.3085362959115281, -0.4285162468450192, 0.7785416201195834], turn);
    let turn = [0.06585076812624714, 0.3190406163956139, -0.8694758424810174, -0.3713334361042849];
    let cylinder = Shape::cylinder(0.6386013759660093, 0.8359366652433962).expect("a cylinder");
    let b = pose([0.04233398665635631, 0.5653925749224746, 0.8370762416583547], turn);
    assert_least_gap((cuboid, a), (cylinder, b), -4.701_156_871_612_764e-7);
}

#[test]
fn the_least_gap_of_a_box_that_barely_overlaps_a_cylinder() {
    let turn = [-0.7996254645842261, -0.1643908150883489, 0.12790144163849979, 0.563219315657624];
    let cuboid = Shape::cuboid([0.14856380533461994, 0.30947965067756733, 0.259821296592889]).expect("a box");
    let a = pose([0.7872508670136478, 0.20291602779162599, -0.7497058666064775], turn);
    let turn = [0.11993301255233496, -0.2259760657865065, 0.46642837203197157, 0.8467558467205164];
    let cylinder = Shape::cylinder(0.05130742681640119, 0.034893635231902975).expect("a cylinder");
    let b = pose([0.4660596383227198, 0.4447767829240811, -0.5054858206944158], turn);
    assert_least_gap((cuboid, a), (cylinder, b), -9.208_990_392_379_72e-8);
}

#[test]
fn the_least_gap_of_two_cylinders_end_on() {
    let turn = [-0.4551941610377704, 0.7087538100835682, 0.017398834436532246, 0.53866835159437];
    let first = Shape::cylinder(0.19375262001829455, 0.146458423392468).expect("a cylinder");
    let a = pose([-0.27000085631262416, -0.3764226509017241, 0.46578586223968355], turn);
    let turn = [-0.742722764709716, 0.013229019286748219, -0.3690142766799453, -0.5585842384430869];
    let second = Shape::cylinder(0.06941467902289936, 0.1205334720098733).expect("a cylinder");
    let b = pose([-0.051407232109779016, -0.1415881320544629, 0.3930080680410164], turn);
    assert_least_gap((first, a), (second, b), 3.010_029_109_603_236_6e-5);
}

#[test]
fn the_least_gap_of_a_rim_beside_the_edge_of_a_triangle() {
    let turn = [-0.37619305156499916, -0.3079255717192146, 0.4043101788293024, -0.7747218271938814];
    let cylinder = Shape::cylinder(0.08667779753465663, 0.12728451510788558).expect("a cylinder");
    let a = pose([0.33363203386877527, -0.4562225531490183, 0.007021015108880535], turn);
    let turn = [0.08407546175969902, -0.9092558075044764, 0.1672422359907365, -0.37177308637137085];
    let corners = [
        [0.0948001573247618, 0.02054216426510027, -0.11269356749825456],
        [-0.1443613744620275, 0.07030935713382429, 0.1156109609110291],
        [0.05620161088579962, 0.048888075247515046, 0.02080759065033248],
    ];
    let triangle = Shape::mesh(&corners, &[[0, 1, 2]]).expect("a triangle");
    let b = pose([0.2662173608874936, -0.4488237868000905, -0.05153170341608285], turn);
    assert_least_gap((cylinder, a), (triangle, b), 1.100_663_489_350_640_7e-9);
}

#[test]
fn the_least_gap_of_a_cylinder_that_barely_overlaps_a_triangle() {
    let turn = [0.4003035032270177, -0.3594552663526594, 0.689083729453058, -0.4855024516916272];
    let cylinder = Shape::cylinder(0.08862850022496732, 0.06236662838275743).expect("a cylinder");
    let a = pose([0.5694862320238145, -0.394060287835281, 0.11852345995877367], turn);
    let turn = [-0.027397839998994127, 0.6266867442382329, 0.4542243636799656, -0.6326083388629995];
    let corners = [
        [-0.0020459838677843404, 0.0973188329144981, -0.16985341566918408],
        [-0.011167475855637127, -0.18684379451036717, -0.204327767426502],
        [-0.21601309786254064, -0.08047426647968106, -0.16309416853092865],
    ];
    let triangle = Shape::mesh(&corners, &[[0, 1, 2]]).expect("a triangle");
    let b = pose([0.5464353200829746, -0.2484921608267081, 0.38020565884167107], turn);
    assert_least_gap((cylinder, a), (triangle, b), -5.327_245_001_899_128e-7);
}

#[test]
fn the_least_gap_of_a_disc_that_barely_overlaps_a_hull() {
    let turn = [0.222969935703074, 0.83800491820314527, 0.44075065747224335, 0.23188579684338617];
    let disc = Shape::cylinder(0.016512899346931755, 0.10369950210953834).expect("a cylinder");
    let a = pose([-0.79730428531165765, -0.028749828844525815, 0.76314976639168286], turn);
    let turn = [-0.7150792173716769, 0.07437715882964957, 0.29352488699732482, 0.63005784801139253];
    let corners = [
        [-0.16325407771533168, -0.26560244004040895, -0.091515140687486562],
        [-0.030403692972988873, -0.26898901384996432, 0.076980916035487026],
        [0.029340834642448087, 0.23395989712389204, 0.086018717110680237],
        [0.06842844196996889, 0.042659124353226045, -0.083215712065135283],
        [0.018726417245537651, -0.044918314675704028, 0.1181686409685048],
        [0.045429824366147023, 0.14096139125035625, -0.091382746056762332],
    ];
    let hull = Shape::hull(&corners).expect("a hull");
    let b = pose([-0.64152396202927053, -0.058997320014603685, 1.077804660457115], turn);
    assert_least_gap((disc, a), (hull, b), -7.932_853_978_746_697e-8);
}

#[test]
fn the_least_gap_of_a_cylinder_whose_end_is_over_a_triangle() {
    let turn = [0.0, 0.0, -0.11980481272756839, 0.99279746516966505];
    let cylinder = Shape::cylinder(0.45155841579172906, 0.073697133332476655).expect("a cylinder");
    let a = pose([-0.068903869500037324, 3.4694469519536142e-18, -0.45155841579172906], turn);
    let turn = [0.1767656429568705, -0.25186119877039009, -0.4499761577781014, -0.83835630936687255];
    let corners = [
        [-0.14543471131840313, 0.10593785978013333, -0.12995842718146516],
        [0.14477137798802717, 0.0091174309150924039, 0.069846017741888602],
        [-0.069163444348070369, -0.16209426588266093, -0.098310814007806516],
    ];
    let mesh = Shape::mesh(&corners, &[[0, 1, 2]]).expect("a triangle");
    let b = pose([-0.04571513220213199, -0.046019562422431583, 0.02799580237237706], turn);
    assert_least_gap((cylinder, a), (mesh, b), -1.870_800_662_583_754_5e-4);
}

//! The plane of the arm: points and directions (x forwards, z up), and the table of its motion.

/// A point or a direction in the plane of the arm [m].
pub(crate) type Point = [f64; 2];

/// Returns the direction at this angle above the horizontal [rad].
pub(crate) fn direction(angle: f64) -> Point {
    [angle.cos(), angle.sin()]
}

/// Returns `point + length * direction`.
pub(crate) fn along(point: Point, angle: f64, length: f64) -> Point {
    let [x, z] = direction(angle);
    [point[0] + length * x, point[1] + length * z]
}

/// Returns where a point of a link is whose pivot and angle these are; `local` is along the link and to its left.
pub(crate) fn placed(pivot: Point, angle: f64, local: Point) -> Point {
    let [c, s] = direction(angle);
    [pivot[0] + c * local[0] - s * local[1], pivot[1] + s * local[0] + c * local[1]]
}

pub(crate) fn distance(a: Point, b: Point) -> f64 {
    ((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1])).sqrt()
}

/// Returns the angle of the way from one point to another above the horizontal [rad].
pub(crate) fn angle(from: Point, to: Point) -> f64 {
    (to[1] - from[1]).atan2(to[0] - from[0])
}

/// The angles of the arm: boom above the horizontal, stick against the boom, bucket against the stick, carriage about the
/// vertical [rad].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Angles {
    pub(crate) boom: f64,
    pub(crate) stick: f64,
    pub(crate) bucket: f64,
    pub(crate) swing: f64,
}

/// Times [s], and the angles then [degrees]: approach, dig from 8 to 10 s, lift, swing, dump.
const TABLE: [(f64, [f64; 4]); 8] = [
    (0.0, [30.0, -90.0, -10.0, 0.0]),
    (1.0, [30.0, -90.0, -10.0, 0.0]),
    (4.0, [30.0, -60.0, -10.0, 0.0]),
    (8.0, [9.0, -60.0, -25.0, 0.0]),
    (10.0, [4.0, -105.0, -75.0, 0.0]),
    (10.8, [24.0, -105.0, -98.0, 0.0]),
    (11.6, [26.0, -100.0, -98.0, 40.0]),
    (12.0, [26.0, -95.0, -60.0, 40.0]),
];
/// How long the table is [s].
pub(crate) const DURATION: f64 = 12.0;

/// Returns the angles of the table at a time. Between two lines each angle begins and ends at rest.
pub(crate) fn table(time: f64) -> Angles {
    let later = TABLE.iter().position(|line| line.0 > time).unwrap_or(TABLE.len() - 1).max(1);
    let ((begin, from), (end, to)) = (TABLE[later - 1], TABLE[later]);
    let share = ((time - begin) / (end - begin)).clamp(0.0, 1.0);
    let smooth = share * share * share * (10.0 - 15.0 * share + 6.0 * share * share);
    let at = |axis: usize| (from[axis] + smooth * (to[axis] - from[axis])).to_radians();
    Angles { boom: at(0), stick: at(1), bucket: at(2), swing: at(3) }
}

/// The measures of the arm [m]. All of them grow with the machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arm {
    pub(crate) scale: f64,
    /// The pivot of the swing on the ground; the arm is in the plane of its x and z axes.
    pub(crate) origin: [f64; 3],
}

/// The pins of the arm in one pose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pins {
    pub(crate) boom: Point,
    pub(crate) stick: Point,
    pub(crate) bucket: Point,
    pub(crate) tip: Point,
    /// Both ends of the cylinders of boom, stick and bucket.
    pub(crate) cylinders: [[Point; 2]; 3],
}

pub(crate) const BOOM: f64 = 5.7;
pub(crate) const STICK: f64 = 2.9;
pub(crate) const BUCKET: f64 = 1.4;

impl Arm {
    /// Returns the pins for these angles, without the swing, from the origin of the arm.
    pub(crate) fn pins(&self, angles: &Angles) -> Pins {
        let s = self.scale;
        let scaled = |[x, z]: Point| [s * x, s * z];
        let (first, second) = (angles.boom, angles.boom + angles.stick);
        let third = second + angles.bucket;
        let boom = scaled([0.3, 2.0]);
        let stick = along(boom, first, s * BOOM);
        let bucket = along(stick, second, s * STICK);
        let cylinders = [
            [scaled([0.9, 1.0]), placed(boom, first, scaled([2.5, -0.3]))],
            [placed(boom, first, scaled([2.8, 0.85])), placed(stick, second, scaled([-0.8, 0.0]))],
            [placed(stick, second, scaled([0.6, 0.35])), placed(bucket, third, scaled([-0.21, 0.45]))],
        ];
        Pins { boom, stick, bucket, tip: along(bucket, third, s * BUCKET), cylinders }
    }

    /// Returns the lengths of the cylinders for these angles [m].
    pub(crate) fn lengths(&self, angles: &Angles) -> [f64; 3] {
        self.pins(angles).cylinders.map(|[from, to]| distance(from, to))
    }

    /// Returns where a point of the plane is in the world when the carriage has turned by `swing` [rad].
    pub(crate) fn world(&self, [x, z]: Point, swing: f64) -> [f64; 3] {
        let [cos, sin] = direction(swing);
        [self.origin[0] + cos * x, self.origin[1] + sin * x, self.origin[2] + z]
    }

    /// Returns where the tip of the bucket is by the table [m].
    pub(crate) fn tip(&self, time: f64) -> [f64; 3] {
        let angles = table(time);
        self.world(self.pins(&angles).tip, angles.swing)
    }
}

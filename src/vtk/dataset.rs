//! A data set, and how it is written.

use std::io::{self, Write};

use crate::error::Result;

use super::array::{Array, NumberType};

/// Points, lines or polygons: lists of the numbers of points.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    connectivity: Array,
    /// Where each cell ends in `connectivity`.
    offsets: Array,
}

impl Cells {
    /// Returns an empty list, with memory for `count` cells of `corners` points.
    pub fn new(count: usize, corners: usize) -> Result<Self> {
        Ok(Self {
            connectivity: Array::new("connectivity", NumberType::Int64, 1, count.saturating_mul(corners))?,
            offsets: Array::new("offsets", NumberType::Int64, 1, count)?,
        })
    }

    /// Adds a cell with corners at these points.
    pub fn add(&mut self, corners: impl IntoIterator<Item = u64>) -> Result<()> {
        corners.into_iter().try_for_each(|corner| self.connectivity.add_integer(corner))?;
        self.offsets.add_integer(self.connectivity.count() as u64)
    }
}

/// Where the arrays of a data set are.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
#[allow(clippy::large_enum_variant)] // a file has one
pub enum Geometry {
    /// Points, and cells of them: a `.vtp`.
    Poly { points: Array, vertices: Cells, lines: Cells, polygons: Cells },
    /// A grid of points along the axes: a `.vti`.
    Image { counts: [u32; 3], origin: [f64; 3], spacing: [f64; 3] },
}

/// A data set.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    /// Its points.
    pub geometry: Geometry,
    /// Arrays with a tuple for each point.
    pub point_data: Vec<Array>,
    /// Arrays with a tuple for each cell: first points, then lines, then polygons.
    pub cell_data: Vec<Array>,
}

impl Dataset {
    /// Returns how the name of its file ends.
    pub fn extension(&self) -> &'static str {
        match self.geometry {
            Geometry::Poly { .. } => "vtp",
            Geometry::Image { .. } => "vti",
        }
    }

    /// Writes the file of the data set at a `time` [s].
    pub fn write(&self, time: f64, out: &mut impl Write) -> io::Result<()> {
        let time = Array { name: "TimeValue", number: NumberType::Float64, components: 1, bits: vec![time.to_bits()] };
        let mut header = Header { out, arrays: Vec::new(), offset: 0 };
        let kind = match self.geometry {
            Geometry::Poly { .. } => "PolyData",
            Geometry::Image { .. } => "ImageData",
        };
        writeln!(header.out, "<?xml version=\"1.0\"?>")?;
        let format = "version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\"";
        writeln!(header.out, "<VTKFile type=\"{kind}\" {format}>")?;
        self.open(&mut header)?;
        header.section("FieldData", [&time])?;
        self.open_piece(&mut header)?;
        header.section("PointData", &self.point_data)?;
        header.section("CellData", &self.cell_data)?;
        if let Geometry::Poly { points, vertices, lines, polygons } = &self.geometry {
            header.section("Points", [points])?;
            for (name, cells) in [("Verts", vertices), ("Lines", lines), ("Polys", polygons)] {
                header.section(name, [&cells.connectivity, &cells.offsets])?;
            }
        }
        writeln!(header.out, "</Piece>\n</{kind}>\n<AppendedData encoding=\"raw\">")?;
        header.write_arrays()?;
        writeln!(out, "\n</AppendedData>\n</VTKFile>")
    }

    fn open(&self, header: &mut Header<impl Write>) -> io::Result<()> {
        match &self.geometry {
            Geometry::Poly { .. } => writeln!(header.out, "<PolyData>"),
            Geometry::Image { counts, origin, spacing } => {
                let ([x, y, z], [dx, dy, dz]) = (origin, spacing);
                let extent = extent(counts);
                write!(header.out, "<ImageData WholeExtent=\"{extent}\" Origin=\"{x} {y} {z}\" ")?;
                writeln!(header.out, "Spacing=\"{dx} {dy} {dz}\">")
            }
        }
    }

    fn open_piece(&self, header: &mut Header<impl Write>) -> io::Result<()> {
        match &self.geometry {
            Geometry::Poly { points, vertices, lines, polygons } => {
                let [vertices, lines, polygons] = [vertices, lines, polygons].map(|cells| cells.offsets.count());
                write!(header.out, "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{vertices}\" ", points.count())?;
                writeln!(header.out, "NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"{polygons}\">")
            }
            Geometry::Image { counts, .. } => writeln!(header.out, "<Piece Extent=\"{}\">", extent(counts)),
        }
    }
}

/// The first and the last index along each axis.
fn extent(counts: &[u32; 3]) -> String {
    let [x, y, z] = counts.map(|count| count.saturating_sub(1));
    crate::error::text!("0 {x} 0 {y} 0 {z}")
}

/// The part of a file in XML, and the arrays that follow it.
struct Header<'a, W> {
    out: &'a mut W,
    arrays: Vec<&'a Array>,
    /// Where the next array begins, after the mark [bytes].
    offset: u64,
}

impl<'a, W: Write> Header<'a, W> {
    /// Names arrays, which [`Header::write_arrays`] then writes.
    fn section(&mut self, name: &str, arrays: impl IntoIterator<Item = &'a Array>) -> io::Result<()> {
        writeln!(self.out, "<{name}>")?;
        for array in arrays {
            let Array { name, number, components, bits } = array;
            write!(self.out, "<DataArray type=\"{}\" Name=\"{name}\" ", number.name())?;
            if *name == "TimeValue" {
                write!(self.out, "NumberOfTuples=\"1\" ")?;
            }
            writeln!(self.out, "NumberOfComponents=\"{components}\" format=\"appended\" offset=\"{}\"/>", self.offset)?;
            self.offset += 8 * (1 + bits.len() as u64);
            self.arrays.push(array);
        }
        writeln!(self.out, "</{name}>")
    }

    /// Writes the mark, and of each array its bytes after their number.
    fn write_arrays(self) -> io::Result<()> {
        self.out.write_all(b"_")?;
        for array in self.arrays {
            self.out.write_all(&(8 * array.bits.len() as u64).to_le_bytes())?;
            array.bits.iter().try_for_each(|bits| self.out.write_all(&bits.to_le_bytes()))?;
        }
        Ok(())
    }
}

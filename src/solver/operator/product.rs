//! Products with the Delassus operator: from its entries, or row by row through the bodies, without any entries.

use crate::error::Result;
use crate::solver::operator::reduced::{Reduced, Symmetric};

/// An operator that can be multiplied.
pub trait Product {
    /// Writes `W x` into `product`.
    ///
    /// # Errors
    ///
    /// There is no memory for the velocities of the bodies.
    fn multiply(&mut self, x: &[f64], product: &mut [f64]) -> Result<()>;

    /// Writes the sum of the magnitudes of the terms of each row of `W x` into `sums`: what the round-off of the row is in proportion to.
    ///
    /// # Errors
    ///
    /// There is no memory for the velocities of the bodies.
    fn magnitudes(&mut self, x: &[f64], sums: &mut [f64]) -> Result<()>;
}

/// The entries of an operator.
#[derive(Debug)]
pub struct Entries<'a>(pub &'a Symmetric);

impl Product for Entries<'_> {
    fn multiply(&mut self, x: &[f64], product: &mut [f64]) -> Result<()> {
        product.iter_mut().enumerate().for_each(|(row, product)| *product = self.0.row_times(row, x));
        Ok(())
    }

    fn magnitudes(&mut self, x: &[f64], sums: &mut [f64]) -> Result<()> {
        for (row, sum) in sums.iter_mut().enumerate() {
            let (columns, values) = self.0.row(row);
            *sum = columns.iter().zip(values).map(|(column, value)| (value * x[*column]).abs()).sum();
        }
        Ok(())
    }
}

impl Reduced {
    /// [`Reduced::measure`] by products.
    pub(in crate::solver) fn measure_by(
        &self,
        operator: &mut impl Product,
        lambda: &mut [f64],
        w: &mut [f64],
    ) -> Result<f64> {
        self.project(lambda);
        operator.multiply(lambda, w)?;
        w.iter_mut().zip(&self.q).for_each(|(w, q)| *w += q);
        Ok(self.residual(lambda, w))
    }

    /// [`Reduced::start`] by products.
    pub(in crate::solver) fn start_by_products(
        &self,
        operator: &mut impl Product,
        lambda: &mut [f64],
        w: &mut [f64],
    ) -> Result<f64> {
        if lambda.iter().all(|value| value.is_finite()) {
            let residual = self.measure_by(operator, lambda, w)?;
            if residual.is_finite() {
                return Ok(residual);
            }
        }
        lambda.fill(0.0);
        self.measure_by(operator, lambda, w)
    }
}

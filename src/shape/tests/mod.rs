mod checks;
mod hull;
mod mesh;
mod variant;
mod variant_bounds;
mod variant_curvature;
mod variant_mass;
mod variant_visit;

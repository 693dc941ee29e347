mod bounds;
mod checks;
mod curvature;
mod hull;
mod mass;
mod mesh;
mod variant;
mod visit;

mod bounds;
mod checks;
mod hull;
mod mass;
mod mesh;
mod variant;

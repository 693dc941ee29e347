mod clip;
mod convex;
mod general;
mod half_space;
mod mesh;
mod point;
mod reduce;
mod scene;

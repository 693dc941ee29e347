mod knots;
mod minima;
mod partners;
mod plane;
mod round;
mod seat;

// Set when the pipeline is made for forces alone: what would begin a matrix is left out, and positions are taken as they are.
override FORCES_ONLY: bool = false;
// And when not even the forces ask for the blocks of elements, as damping by their stiffness does.
override WITHOUT_BLOCKS: bool = false;
// Forces outside Newton's loop: they do not ask whether it is done, and the residual begins with them.
override STANDALONE: bool = false;
// And nothing in the scene is damped: velocities are not loaded.
override UNDAMPED: bool = false;

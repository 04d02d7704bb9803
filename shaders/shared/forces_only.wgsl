// Set in pipelines that evaluate forces only: the matrix terms are omitted, and positions are used as they are.
override FORCES_ONLY: bool = false;
// Set with FORCES_ONLY when no force needs the blocks of elements, as stiffness-proportional damping does.
override WITHOUT_BLOCKS: bool = false;
// Set for forces outside Newton's loop: the kernel does not test for convergence, and overwrites the residual.
override STANDALONE: bool = false;
// Set with FORCES_ONLY when nothing in the scene is damped: velocities are not loaded.
override UNDAMPED: bool = false;

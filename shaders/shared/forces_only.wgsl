// Set when the pipeline is made for forces alone: what would begin a matrix is left out, and positions are taken as they are.
override FORCES_ONLY: bool = false;

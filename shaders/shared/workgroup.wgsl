// The one workgroup size of every kernel. The host reads it from here through naga; nothing else states it.
const WORKGROUP_SIZE: u32 = 64u;

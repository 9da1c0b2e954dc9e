// Memory of this process that is taken in large blocks: states of models, bodies, answers.
#pragma once

namespace parley::app {

// Gives each such block back to the system as soon as it is freed. By itself glibc learns to keep
// them once the first has been freed, and a process that runs for weeks grows by the holes between
// them. To be called before other threads are started.
void return_large_blocks();

}  // namespace parley::app

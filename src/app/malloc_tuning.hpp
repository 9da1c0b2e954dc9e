// Tunes malloc for large blocks of memory: states of models, bodies, answers.
#pragma once

namespace parley::app {

// Returns each large block to the system as soon as it is freed. By default glibc raises its
// threshold after the first such free and keeps later blocks, so that a long-running process grows
// by fragmentation. To be called before other threads are started.
void return_large_blocks();

}  // namespace parley::app

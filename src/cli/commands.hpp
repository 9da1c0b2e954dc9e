// The command line: what `parley` understands.
#pragma once

namespace parley::cli {

// Runs one command and returns the exit code: 0, 1 (it failed), 2 (it was not understood).
int run(int argc, char** argv);

}  // namespace parley::cli

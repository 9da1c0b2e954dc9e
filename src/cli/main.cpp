#include "cli/commands.hpp"

int main(int argc, char** argv) { return parley::cli::run(argc, argv); }

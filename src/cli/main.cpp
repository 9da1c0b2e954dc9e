#include "cli/cli.hpp"

int main(int argc, char** argv)
{
    parley::cli::Program program;
    return program.run(argc, argv);
}

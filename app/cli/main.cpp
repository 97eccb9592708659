#include "app/cli/commands.h"

int main(int argc, char **argv)
{
    return perilune::cli::runCommandLine(argc, argv);
}

// How many files and sockets this process may have open.
#pragma once

#include <cstddef>

namespace parley::app {

// Raises the limit as far as the system allows and returns it.
std::size_t raise_descriptor_limit();

// The number of connections that the limit allows, after a reserve for other files.
std::size_t connections_within(std::size_t descriptor_limit, std::size_t wanted);

}  // namespace parley::app

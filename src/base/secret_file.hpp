// Reads files that hold a secret: a key or a password of the operator's.
//
// Threads: plain functions that block.
#pragma once

#include "base/error.hpp"
#include "base/secret.hpp"

#include <cstddef>
#include <string>

namespace parley {

// Who else may have access to such a file.
enum class Privacy {
    group,  // The group of the file, e.g. of a service manager; not every user.
    none,
};

// The first bytes of the file, at most `most`. Fails with invalid_request and a sentence for the
// operator if there is no such file, if it is empty, or if others may read or change it.
Result<Secret> read_secret_file(const std::string& file, std::size_t most, Privacy privacy);

}  // namespace parley

// Random keys of the server, created at first use and stored: the one that signs list cursors, for
// example. They are not credentials and never leave the server.
#pragma once

#include "base/error.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"

#include <string>

namespace parley::store {

class Keys {
public:
    virtual ~Keys() = default;

    // 32 bytes; always the same for one purpose.
    static constexpr std::size_t size = 32;
    virtual Task<Result<Secret>> key_for(std::string purpose) = 0;
};

}  // namespace parley::store

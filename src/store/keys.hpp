// Random keys of the server's own, made at first use and kept: the one that signs list cursors, for
// example. They are not credentials of anybody and never leave the server.
#pragma once

#include "base/error.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"

#include <string>

namespace parley::store {

class Keys {
public:
    virtual ~Keys() = default;

    // 32 bytes; the same ones for the same purpose, for ever.
    static constexpr std::size_t size = 32;
    virtual Task<Result<Secret>> key_for(std::string purpose) = 0;
};

}  // namespace parley::store

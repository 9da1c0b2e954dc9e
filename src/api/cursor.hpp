// Cursors of lists: where the next page begins, signed, so that a client can neither make one up
// nor use one for another list, user, order or filter than it was made for. What stands in it is no
// secret to the one it is given to.
//
// Threads: any.
#pragma once

#include "base/error.hpp"
#include "base/secret.hpp"

#include <string>
#include <string_view>

namespace parley::api {

class Cursors {
public:
    // `key` has 32 bytes, the same ones as long as cursors are to be good.
    explicit Cursors(Secret key) : key_(std::move(key)) {}

    // `list` says all that the cursor is good for: list, owner, order, filter.
    std::string seal(std::string_view list, std::string_view position) const;

    // Fails with invalid_cursor.
    Result<std::string> open(std::string_view list, std::string_view cursor) const;

private:
    Secret key_;
};

}  // namespace parley::api

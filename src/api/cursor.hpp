// Cursors of lists: where the next page begins, signed, so that a client can neither invent a
// cursor nor use it for another list, user, order or filter. It is encrypted: positions are numbers
// of rows, which would tell how many there are.
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
    // `key` has 32 bytes. Cursors are valid as long as the key stays the same.
    explicit Cursors(Secret key) : key_(std::move(key)) {}

    // `list` names everything that the cursor is bound to: list, owner, order, filter.
    std::string seal(std::string_view list, std::string_view position) const;

    // Fails with invalid_cursor.
    Result<std::string> open(std::string_view list, std::string_view cursor) const;

private:
    Secret key_;
};

}  // namespace parley::api

// A failure of a database. Thrown inside the rooms of store/ only: the driver catches it and
// converts it to an Error.
#pragma once

#include <stdexcept>
#include <string>

namespace parley::store::sql {

class Failure : public std::runtime_error {
public:
    enum class Kind {
        query,      // A fault of the query, not of the database: other queries can continue.
        damage,     // The stored data is inconsistent: further writes would make it worse.
        lost_sync,  // A sync failed, so the content of the disk is unknown. (A second fsync would
                    // report success without writing the lost data.)
        full,       // There is no room.
        other,
    };

    Failure(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}

    Kind kind() const { return kind_; }

private:
    Kind kind_;
};

inline Failure damage(const std::string& what) { return {Failure::Kind::damage, what}; }

}  // namespace parley::store::sql

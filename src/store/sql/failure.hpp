// What a database reports as failed. Thrown inside the rooms of store/ only: a driver catches it at
// its door and makes an Error of it.
#pragma once

#include <stdexcept>
#include <string>

namespace parley::store::sql {

class Failure : public std::runtime_error {
public:
    enum class Kind {
        query,      // Lies in what was asked and not in the database: the others can go on.
        damage,     // What is stored contradicts itself: writing on would make it worse.
        lost_sync,  // The disk did not keep what it was told to keep, and nobody knows what is on
                    // it now. (A second fsync would report success and mean nothing.)
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

// The path of one value in a request that is being read: it has a name, and records faults of the
// value. Paths live on the stack, each pointing to its parent; the name is built only if there is a
// fault.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::fields {

enum class UnknownFields { refused, ignored };

struct Reading {
    Faults& faults;
    UnknownFields unknown = UnknownFields::refused;
    Fault::Location place = Fault::Location::body;
};

class FieldPath {
public:
    // `name` is kept as a view, also by the paths below.
    FieldPath(const Reading& reading, std::string_view name) : reading_(reading), name_(name) {}

    FieldPath member(std::string_view name) const { return {*this, name, none}; }
    FieldPath item(std::size_t index) const { return {*this, {}, index}; }

    // The same path, for a fault of the key instead of the value.
    FieldPath as_key() const
    {
        FieldPath key = *this;
        key.is_key_ = true;
        return key;
    }

    const Reading& reading() const { return reading_; }

    // For the root, its name (for example, of a parameter); below it, an RFC 6901 pointer as a URI
    // fragment.
    std::string where() const;

    void fault(std::string_view code, std::string detail) const;
    bool enough() const { return reading_.faults.size() > max_faults; }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    FieldPath(const FieldPath& up, std::string_view name, std::size_t index)
        : reading_(up.reading_), up_(&up), name_(name), index_(index)
    {
    }

    const Reading& reading_;
    const FieldPath* up_ = nullptr;
    std::string_view name_;
    std::size_t index_ = none;
    bool is_key_ = false;
};

// Numbers in messages: 2 and not 2.0, 0.5, 4294967295.
std::string number_text(double number);

}  // namespace parley::fields

#include "fields/read.hpp"

#include "base/suggest.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace parley::fields::detail {
namespace {

constexpr std::int64_t max_integer = 9007199254740991;  // Above it, a double cannot represent all
                                                        // integers.

bool wrong_type(const FieldPath& at, std::string_view wanted)
{
    at.fault("wrong_type", "must be " + std::string(wanted));
    return false;
}

bool too_large(const FieldPath& at)
{
    at.fault("out_of_range", "must be from -9007199254740991 to 9007199254740991");
    return false;
}

// Only for faults that are listed: a body may have a hundred thousand.
std::string suggestion(std::string_view name, std::span<const std::string_view> known,
                       const FieldPath& at)
{
    if (at.enough()) return {};
    const auto meant = suggest(name, known);
    return meant ? "; did you mean \"" + std::string(*meant) + "\"?" : "";
}

bool is_known(std::string_view name, std::span<const std::string_view> known)
{
    return std::find(known.begin(), known.end(), name) != known.end();
}

template <class Number>
boost::json::value number_or_text(std::string_view text)
{
    Number number{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        return boost::json::string(text);
    return number;
}

}  // namespace

bool read_value(std::string& out, const boost::json::value& value, const FieldPath& at)
{
    const auto* text = value.if_string();
    if (text == nullptr) return wrong_type(at, "a string");
    out.assign(text->data(), text->size());
    return true;
}

bool read_value(bool& out, const boost::json::value& value, const FieldPath& at)
{
    const auto* truth = value.if_bool();
    if (truth == nullptr) return wrong_type(at, "true or false");
    out = *truth;
    return true;
}

// JSON has one kind of number: 1.0 and 1e2 are whole numbers, too.
bool read_value(std::int64_t& out, const boost::json::value& value, const FieldPath& at)
{
    if (const auto* number = value.if_int64()) {
        out = *number;
    } else if (const auto* fraction = value.if_double()) {
        if (*fraction != std::trunc(*fraction)) return wrong_type(at, "a whole number");
        if (std::abs(*fraction) > double(max_integer)) return too_large(at);
        out = static_cast<std::int64_t>(*fraction);
    } else {
        return value.is_uint64() ? too_large(at) : wrong_type(at, "a whole number");
    }
    return (out >= -max_integer && out <= max_integer) || too_large(at);
}

bool read_value(double& out, const boost::json::value& value, const FieldPath& at)
{
    if (!value.is_number()) return wrong_type(at, "a number");
    out = value.to_number<double>();
    return true;
}

bool read_value(boost::json::value& out, const boost::json::value& value, const FieldPath&)
{
    out = value;
    return true;
}

bool read_value(boost::json::object& out, const boost::json::value& value, const FieldPath& at)
{
    const auto* object = as_object(value, at);
    if (object != nullptr) out = *object;
    return object != nullptr;
}

const boost::json::object* as_object(const boost::json::value& value, const FieldPath& at)
{
    if (!value.is_object()) wrong_type(at, "an object");
    return value.if_object();
}

const boost::json::array* as_array(const boost::json::value& value, const FieldPath& at)
{
    if (!value.is_array()) wrong_type(at, "an array");
    return value.if_array();
}

bool has_more_than(std::size_t max, const boost::json::value& value, boost::json::kind kind,
                   const FieldPath& at)
{
    if (value.kind() != kind) return false;
    const bool is_list = value.is_array();
    const std::size_t count = is_list ? value.get_array().size() : value.get_object().size();
    if (count <= max) return false;
    check_count(count, 0, max, is_list ? "item" : "entry", at);
    return true;
}

void refuse_unknown(const boost::json::object& object, std::span<const std::string_view> known,
                    const FieldPath& at)
{
    for (const auto& member : object) {
        const std::string_view name = member.key();
        if (!is_known(name, known))
            at.member(name).fault("unknown_field",
                                  "is not a known field" + suggestion(name, known, at));
    }
}

void refuse_unknown(std::span<const Parameter> parameters, std::span<const std::string_view> known,
                    const Reading& reading)
{
    for (const auto& [name, value] : parameters) {
        const FieldPath here(reading, name);
        if (!is_known(name, known))
            here.fault("unknown_parameter",
                       "is not a known parameter" + suggestion(name, known, here));
    }
}

const Parameter* find(std::span<const Parameter> parameters, std::string_view name,
                      const FieldPath& at)
{
    const Parameter* found = nullptr;
    for (const Parameter& parameter : parameters) {
        if (parameter.name != name) continue;
        if (found != nullptr) {
            at.fault("duplicate_parameter", "must not be given twice");
            break;
        }
        found = &parameter;
    }
    return found;
}

boost::json::value from_text(std::string_view text, Expected expected)
{
    switch (expected) {
        case Expected::boolean:
            if (text == "true" || text == "false") return text == "true";
            break;
        case Expected::integer:
            return number_or_text<std::int64_t>(text);
        case Expected::number: {
            const bool digits = text.find_first_not_of("+-.0123456789eE") == text.npos;
            if (digits) return number_or_text<double>(text);  // Not "inf", not "nan".
            break;
        }
        case Expected::text:
            break;
    }
    return boost::json::string(text);
}

}  // namespace parley::fields::detail

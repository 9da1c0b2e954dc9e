#include "base/json.hpp"

#include "base/key_buckets.hpp"
#include "base/utf8.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::json {
namespace {

using boost::json::error_code;
using boost::json::string_view;
using boost::json::value;

constexpr std::size_t quoted_key_bytes = 64;

constexpr std::string_view half_pair = "half a surrogate pair";
constexpr std::string_view too_early = "it ends too early";
constexpr std::string_view too_large = "a number beyond the range of a double";

// Builds the value while Boost's parser reads. A member is added to its object as soon as its key
// is known, so one look-up both places it and finds duplicates.
class Builder {
public:
    static constexpr std::size_t max_array_size = boost::json::array::max_size();
    static constexpr std::size_t max_object_size = boost::json::object::max_size();
    static constexpr std::size_t max_string_size = boost::json::string::max_size();
    static constexpr std::size_t max_key_size = boost::json::string::max_size();

    explicit Builder(bool last_duplicate_counts) : last_duplicate_counts_(last_duplicate_counts)
    {
        open_.reserve(max_depth);
    }

    value& result() { return root_; }

    // A fault beyond the grammar.
    const std::string& fault() const { return fault_; }

    static bool on_document_begin(error_code&) { return true; }
    static bool on_document_end(error_code&) { return true; }

    bool on_array_begin(error_code& error) { return open(boost::json::array(), error); }
    bool on_array_end(std::size_t, error_code&) { return close(); }
    bool on_object_begin(error_code& error) { return open(boost::json::object(), error); }
    bool on_object_end(std::size_t, error_code&) { return close(); }

    bool on_key_part(string_view part, std::size_t, error_code&) { return keep(part); }
    bool on_key(string_view last, std::size_t, error_code& error)
    {
        const string_view key = whole(last);
        auto& object = open_.back()->get_object();
        const auto [member, added] = object.emplace(key, nullptr);
        if (!added && !last_duplicate_counts_) {
            fault_ = "duplicate key ";
            append_quoted(fault_, utf8::cut({key.data(), key.size()}, quoted_key_bytes));
            return refuse(error);
        }
        if (added && has_long_bucket(object, member)) {
            fault_ = "too many keys with the same hash";
            return refuse(error);
        }
        member_ = &member->value();
        kept_.clear();
        return true;
    }

    bool on_string_part(string_view part, std::size_t, error_code&) { return keep(part); }
    bool on_string(string_view last, std::size_t, error_code& error)
    {
        if (!count(error)) return false;
        place(boost::json::string(whole(last)));
        kept_.clear();
        return true;
    }

    static bool on_number_part(string_view, error_code&) { return true; }
    bool on_int64(std::int64_t number, string_view, error_code& error)
    {
        return add(number, error);
    }
    bool on_uint64(std::uint64_t number, string_view, error_code& error)
    {
        return add(number, error);
    }

    // Boost's own conversion may miss the nearest double, and turns 0e999 into NaN. `text` is
    // complete because the parser gets the document in one piece.
    bool on_double(double rough, string_view text, error_code& error)
    {
        double number = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        if (read.ec == std::errc::result_out_of_range) {
            if (std::abs(rough) > 1) {
                fault_ = too_large;
                return refuse(error);
            }
            number = std::copysign(0.0, rough);
        }
        return add(number, error);
    }

    bool on_bool(bool truth, error_code& error) { return add(truth, error); }
    bool on_null(error_code& error) { return add(nullptr, error); }

    static bool on_comment_part(string_view, error_code&) { return false; }
    static bool on_comment(string_view, error_code&) { return false; }

private:
    static bool refuse(error_code& error)
    {
        error = boost::json::error::syntax;
        return false;
    }

    // A text with escapes arrives in parts.
    bool keep(string_view part)
    {
        kept_.append(part.data(), part.size());
        return true;
    }
    string_view whole(string_view last)
    {
        if (kept_.empty()) return last;
        keep(last);
        return kept_;
    }

    value& place(value&& item)
    {
        if (open_.empty()) return root_ = std::move(item);
        if (auto* array = open_.back()->if_array()) return array->emplace_back(std::move(item));
        return *member_ = std::move(item);
    }
    bool count(error_code& error)
    {
        if (++values_ <= max_values) return true;
        fault_ = "more than " + std::to_string(max_values) + " values";
        return refuse(error);
    }
    template <class T>
    bool add(T item, error_code& error)
    {
        if (!count(error)) return false;
        place(value(item));
        return true;
    }
    bool open(value&& container, error_code& error)
    {
        if (!count(error)) return false;
        open_.push_back(&place(std::move(container)));
        return true;
    }
    bool close()
    {
        open_.pop_back();
        return true;
    }

    const bool last_duplicate_counts_;
    value root_;
    std::size_t values_ = 0;
    std::vector<value*> open_;  // Only the last one grows, so the pointers stay valid.
    value* member_ = nullptr;   // The place for the value of the last key.
    std::string kept_;
    std::string fault_;
};

// True for "\ud83d" and the like: the parser then reports a missing backslash.
bool ends_in_first_half(std::string_view text)
{
    if (text.size() < 6) return false;
    const std::string_view escape = text.substr(text.size() - 6);
    return (escape.starts_with("\\ud") || escape.starts_with("\\uD")) &&
           std::string_view("89abAB").find(escape[3]) != std::string_view::npos;
}

std::string_view describe_syntax(std::string_view text, std::size_t at)
{
    if (text.starts_with("\xEF\xBB\xBF")) return "it begins with a byte order mark";
    if (at >= text.size()) return too_early;
    if (ends_in_first_half(text.substr(0, at))) return half_pair;
    if (utf8::first(text.substr(at)).bytes == 0) return "not UTF-8";
    return "a character that does not belong there";
}

std::string_view describe(error_code error, std::string_view text, std::size_t at)
{
    switch (static_cast<boost::json::error>(error.value())) {
        case boost::json::error::incomplete:
            return too_early;
        case boost::json::error::exponent_overflow:
            return too_large;
        case boost::json::error::illegal_leading_surrogate:
        case boost::json::error::illegal_trailing_surrogate:
        case boost::json::error::expected_utf16_escape:
            return half_pair;
        case boost::json::error::expected_hex_digit:
            return "an escape that is not four hex digits";
        case boost::json::error::object_too_large:
        case boost::json::error::array_too_large:
        case boost::json::error::key_too_large:
        case boost::json::error::string_too_large:
            return "a value that is too large";
        default:
            return describe_syntax(text, at);
    }
}

Error refusal(std::string_view why, std::size_t at)
{
    return {Errc::invalid_json, std::string(why) + " (byte " + std::to_string(at) + ")"};
}

}  // namespace

Result<value> parse(std::string_view text)
{
    auto parsed = parse_by(Rules(), text);
    if (parsed) return parsed;
    return Error{parsed.error().code,
                 "The body is not valid JSON: " + parsed.error().message + '.'};
}

Result<value> parse_by(const Rules& rules, std::string_view text)
{
    boost::json::parse_options options;
    options.max_depth = rules.max_depth;
    boost::json::basic_parser<Builder> parser(options, rules.last_duplicate_counts);
    error_code error;
    const std::size_t at = parser.write_some(false, text.data(), text.size(), error);
    if (!parser.handler().fault().empty()) return refusal(parser.handler().fault(), at);
    if (error == boost::json::error::too_deep)
        return refusal("nested deeper than " + std::to_string(rules.max_depth) + " levels", at);
    if (error) return refusal(describe(error, text, at), at);
    if (at < text.size()) return refusal("text after its end", at);
    return std::move(parser.handler().result());
}

void append_quoted(std::string& out, std::string_view text)
{
    static constexpr std::string_view hex = "0123456789abcdef";
    out += '"';
    std::size_t plain = 0;  // The start of the text that can be copied unchanged.
    const auto replace = [&](std::size_t at, std::string_view with) {
        out.append(text, plain, at - plain).append(with);
        plain = at + 1;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte >= 0x80) {
            const std::size_t bytes = utf8::first(text.substr(i)).bytes;
            if (bytes == 0)
                replace(i, "\xEF\xBF\xBD");
            else
                i += bytes - 1;
        } else if (byte == '"') {
            replace(i, "\\\"");
        } else if (byte == '\\') {
            replace(i, "\\\\");
        } else if (byte == '\n') {
            replace(i, "\\n");
        } else if (byte == '\r') {
            replace(i, "\\r");
        } else if (byte == '\t') {
            replace(i, "\\t");
        } else if (byte < 0x20) {
            const char escape[] = {'\\', 'u', '0', '0', hex[byte >> 4U], hex[byte & 0xFU]};
            replace(i, {escape, sizeof escape});
        }
    }
    out.append(text, plain).append(1, '"');
}

std::size_t quoted_size(std::string_view text)
{
    std::size_t size = text.size() + 2;
    for (const char byte : text) {
        if (byte == '"' || byte == '\\' || byte == '\n' || byte == '\r' || byte == '\t')
            size += 1;
        else if (static_cast<unsigned char>(byte) < 0x20)
            size += 5;
    }
    return size;
}

}  // namespace parley::json

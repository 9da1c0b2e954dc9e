#include "moving/json_elements.hpp"

namespace parley::moving {
namespace {

constexpr std::size_t bytes_of_a_read = std::size_t{256} * 1024;

// Whether the character may stand around objects.
bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == '[' || c == ']';
}

// Finds the end of an object, character by character.
class ObjectEnd {
public:
    // True at the last character of the object.
    bool read(char c)
    {
        if (is_escaped_) {
            is_escaped_ = false;
        } else if (is_text_) {
            is_escaped_ = c == '\\';
            is_text_ = c != '"';
        } else if (c == '"') {
            is_text_ = true;
        } else if (c == '{') {
            ++depth_;
        } else if (c == '}') {
            return --depth_ == 0;
        }
        return false;
    }

private:
    std::size_t depth_ = 0;
    bool is_text_ = false;
    bool is_escaped_ = false;
};

Error cannot_be_read() { return {Errc::invalid_request, "The file is damaged or cannot be read."}; }
Error not_an_object() { return {Errc::invalid_request, "The file is not a list of JSON objects."}; }

}  // namespace

std::optional<char> JsonElements::peek()
{
    if (at_ == buffer_.size()) {
        buffer_.resize(bytes_of_a_read);
        in_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        buffer_.resize(static_cast<std::size_t>(in_.gcount()));
        at_ = 0;
    }
    if (buffer_.empty()) return std::nullopt;
    return buffer_[at_];
}

Result<std::optional<std::string>> JsonElements::next()
{
    while (const auto c = peek()) {
        if (!is_between(*c)) break;
        ++at_;
    }
    const auto first = peek();
    if (in_.bad()) return cannot_be_read();
    if (!first) return std::optional<std::string>();
    if (*first != '{') return not_an_object();
    std::string text;
    std::size_t bytes = 0;
    ObjectEnd end;
    for (auto c = peek(); c; c = peek()) {
        ++at_;
        if (++bytes <= max_bytes_) text += *c;
        if (!end.read(*c)) continue;
        if (bytes > max_bytes_)
            return Error{Errc::body_too_large, "A conversation has more than " +
                                                   std::to_string(max_bytes_ >> 20U) +
                                                   " MiB and cannot be imported."};
        return std::optional(std::move(text));
    }
    if (in_.bad()) return cannot_be_read();
    return Error{Errc::invalid_request, "The file ends inside of an object."};
}

}  // namespace parley::moving

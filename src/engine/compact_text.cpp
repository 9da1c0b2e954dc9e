#include "engine/compact_text.hpp"

namespace parley::engine {
namespace {

bool is_space(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool begins_scalar(char letter)
{
    return letter == '-' || is_digit(letter) || letter == 't' || letter == 'f' || letter == 'n';
}

bool continues_scalar(char letter)
{
    return is_digit(letter) || (letter >= 'a' && letter <= 'z') || letter == 'E' || letter == '.' ||
           letter == '+' || letter == '-';
}

}  // namespace

std::string CompactText::add(std::string_view piece)
{
    std::string out;
    for (const char letter : piece) add(letter, out);
    return out;
}

void CompactText::add(char letter, std::string& out)
{
    if (place_ == Place::scalar && !continues_scalar(letter)) place_ = Place::behind;
    switch (place_) {
        case Place::string:
            if (letter == '\\') place_ = Place::escape;
            if (letter == '"') place_ = after_string_;
            break;
        case Place::escape:
            place_ = Place::string;
            break;
        case Place::scalar:
        case Place::elsewhere:
            break;
        default:
            return add_between(letter, out);
    }
    out += letter;
}

void CompactText::add_between(char letter, std::string& out)
{
    if (is_space(letter)) {
        held_ += letter;
        return;
    }
    if (!enter(letter)) {
        place_ = Place::elsewhere;
        out += held_;
    }
    held_.clear();
    out += letter;
}

bool CompactText::enter(char letter)
{
    const bool is_end = letter == '}' || letter == ']';
    switch (place_) {
        case Place::value_or_end:
            return is_end ? leave(letter) : enter_value(letter);
        case Place::value:
            return enter_value(letter);
        case Place::key_or_end:
            return is_end ? leave(letter) : enter_string(letter, Place::colon);
        case Place::key:
            return enter_string(letter, Place::colon);
        case Place::colon:
            place_ = Place::value;
            return letter == ':';
        default:
            if (is_end) return leave(letter);
            if (letter != ',' || open_.empty()) return false;
            place_ = open_.back() == '{' ? Place::key : Place::value;
            return true;
    }
}

bool CompactText::enter_value(char letter)
{
    if (letter == '"') return enter_string(letter, Place::behind);
    if (letter == '{' || letter == '[') {
        open_ += letter;
        place_ = letter == '{' ? Place::key_or_end : Place::value_or_end;
        return true;
    }
    place_ = Place::scalar;
    return begins_scalar(letter);
}

bool CompactText::enter_string(char letter, Place after)
{
    place_ = Place::string;
    after_string_ = after;
    return letter == '"';
}

bool CompactText::leave(char letter)
{
    if (open_.empty() || open_.back() != (letter == '}' ? '{' : '[')) return false;
    open_.pop_back();
    place_ = Place::behind;
    return true;
}

}  // namespace parley::engine

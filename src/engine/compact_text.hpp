// Removes the white space between the parts of a JSON text as it comes. From the first character
// that cannot follow in JSON, a text stays as it is: so a text that is not JSON never becomes JSON
// of another value, and keeps its words apart.
#pragma once

#include <string>
#include <string_view>

namespace parley::engine {

class CompactText {
public:
    // The next piece without this white space; may be empty. White space at the end is never
    // returned, unless the text is not JSON.
    std::string add(std::string_view piece);

private:
    enum class Place {
        value,
        value_or_end,  // After `[`.
        key,
        key_or_end,  // After `{`.
        colon,
        behind,  // After a value.
        scalar,  // In a number, true, false or null.
        string,
        escape,
        elsewhere  // Not in JSON.
    };

    void add(char letter, std::string& out);
    void add_between(char letter, std::string& out);
    // Whether the text may still be JSON with this character.
    bool enter(char letter);
    bool enter_value(char letter);
    bool enter_string(char letter, Place after);
    bool leave(char letter);

    Place place_ = Place::value;
    Place after_string_ = Place::behind;
    std::string open_;  // The `{` and `[` of the objects and lists that are open.
    std::string held_;  // White space that is dropped if JSON follows.
};

}  // namespace parley::engine

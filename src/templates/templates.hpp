// The message template of an automation: text with variables that are filled in when it runs.
//
//   {{name}}   stands for a variable, \{{ for two braces; anything else in double braces is a
//   fault.
//
// It is filled once: a value is text, whatever it contains, and is never read as a template.
#pragma once

#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::templates {

inline constexpr std::size_t most_variables = 32;
inline constexpr std::size_t longest_value = 131'072;
inline constexpr std::size_t longest_pointer = 1'000;

// Whether a text is a JSON pointer (RFC 6901) of at most this length.
bool is_pointer(std::string_view text);
// A name as a part of such a pointer, with its slash.
std::string pointer_part(std::string_view name);

struct Variable {
    std::string name;
    std::optional<std::string> pointer = {};        // RFC 6901; without, "/" and the name.
    std::optional<std::string> default_value = {};  // If the payload has none.
    bool required = false;
    std::optional<std::size_t> max_bytes = {};
    bool cut = false;  // A longer value is cut at a character instead of refused.
};

// Values that every template has, under the names {{run.scheduled_for}} and so on.
struct RunValues {
    std::string scheduled_for;
    std::string local_date;
    std::string local_time;
    std::string key;
    std::string trigger;
    std::string automation_name;
};

struct FilledValue {
    std::string name;
    std::string text;
};

struct FilledTemplate {
    std::string message;
    std::vector<FilledValue> values;  // The values of all variables, as filled in.
};

class Template {
public:
    // Fails with validation_failed and all faults, whose pointers begin at the automation:
    // "/message", "/variables/0/name".
    static Result<Template> parse(std::string_view message, std::vector<Variable> variables);

    // Fails with validation_failed and all faults; their pointers are those of the variables into
    // the payload, or "" if the message would have more than `max_bytes`.
    Result<FilledTemplate> fill(const boost::json::value& payload, const RunValues& run,
                                std::size_t max_bytes) const;

    // Whether a variable reads this member of a payload.
    bool reads(std::string_view member) const;
    // Names of variables that do not stand in the message.
    std::vector<std::string> unused() const;

    // The same message again, from the values of FilledTemplate. Values of variables that it does
    // not have are ignored.
    std::string message_of(const std::vector<FilledValue>& values, const RunValues& run) const;

private:
    // Text, or the value of one place.
    struct Piece {
        enum class Kind { text, variable, run };

        Kind kind;
        std::string text;
        std::size_t index = 0;
    };

    Template() = default;
    void parse_message(std::string_view message, Faults& faults);
    void add_text(std::string_view text);
    void add_place(std::string_view name, Faults& faults);
    static void add_fault(std::string_view name, std::string_view end, const char* what,
                          Faults& faults);
    // The texts of the variables, in their order. They refer to the values.
    using Texts = std::vector<std::string_view>;
    Texts texts_of(const std::vector<FilledValue>& values) const;
    static std::string_view text_of(const Piece& piece, const Texts& texts, const RunValues& run);

    std::vector<Piece> pieces_;
    std::vector<Variable> variables_;
};

}  // namespace parley::templates

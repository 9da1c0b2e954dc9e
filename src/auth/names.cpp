#include "auth/names.hpp"

#include "base/normal_form.hpp"
#include "base/utf8.hpp"

#include <optional>
#include <utf8proc.h>

namespace parley::auth {
namespace {

// In NFC, no character is composed of more than four others, and each has at most four bytes.
// Longer texts are refused without normalisation.
constexpr std::size_t most_bytes = longest_name * 4 * 4;

Refusal not_allowed(std::string detail) { return {"not_allowed", std::move(detail)}; }

utf8proc_category_t category(char32_t code)
{
    return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

// They break lines or reorder the text around them.
bool is_control(char32_t code)
{
    const auto kind = category(code);
    const bool turns_text =
        (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return kind == UTF8PROC_CATEGORY_CC || kind == UTF8PROC_CATEGORY_ZL ||
           kind == UTF8PROC_CATEGORY_ZP || turns_text;
}

bool is_invisible(char32_t code)
{
    return category(code) == UTF8PROC_CATEGORY_CF ||
           utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->ignorable;
}

bool is_white_space(char32_t code) { return category(code) == UTF8PROC_CATEGORY_ZS; }

std::optional<Refusal> fault_of_line(char32_t code)
{
    if (is_control(code)) return not_allowed("must not contain control characters");
    return std::nullopt;
}

std::optional<Refusal> fault_of_name(char32_t code)
{
    if (auto fault = fault_of_line(code)) return fault;
    if (is_invisible(code)) return not_allowed("must not contain invisible characters");
    if (is_white_space(code) && code != U' ')
        return not_allowed("must not contain white space other than plain spaces");
    // Unassigned: its meaning and its case folding are not known yet.
    if (category(code) == UTF8PROC_CATEGORY_CN)
        return not_allowed("must not contain characters that Unicode has not assigned");
    return std::nullopt;
}

// The text in NFC, if it is short enough and all characters are allowed.
template <class FaultOf>
Judged<std::string> read_text(std::string_view text, FaultOf fault_of)
{
    Refusal too_long{"too_long",
                     "must have at most " + std::to_string(longest_name) + " characters"};
    if (text.size() > most_bytes) return too_long;
    auto normal = composed(text);
    if (!normal) return not_allowed("must be valid UTF-8");
    if (utf8::count(*normal) > longest_name) return too_long;

    for (std::string_view rest = *normal; !rest.empty();) {
        const utf8::Character character = utf8::first(rest);
        if (auto fault = fault_of(character.code)) return *std::move(fault);
        rest.remove_prefix(character.bytes);
    }
    return *std::move(normal);
}

}  // namespace

Judged<UserName> read_name(std::string_view text)
{
    if (text.empty()) return Refusal{"too_short", "must not be empty"};
    auto name = read_text(text, fault_of_name);
    if (!name) return name.error();
    if (name->front() == ' ' || name->back() == ' ')
        return not_allowed("must not begin or end with a space");

    auto key = case_folded(*name);
    return UserName{*std::move(name), *std::move(key)};
}

Judged<std::string> read_display_name(std::string_view text)
{
    return read_text(text, fault_of_line);
}

}  // namespace parley::auth

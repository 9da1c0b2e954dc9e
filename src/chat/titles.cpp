#include "chat/titles.hpp"

#include "base/normal_form.hpp"

namespace parley::chat {
namespace {

constexpr std::size_t max_characters = 60;
constexpr std::size_t looked_at = 1024;  // Bytes of a message, which may be long.
constexpr std::string_view ellipsis = "…";

// Only ASCII: in some scripts other spaces are part of the text.
bool is_space_or_control(char byte)
{
    const auto code = static_cast<unsigned char>(byte);
    return code <= 0x20 || code == 0x7f;
}

bool continues_a_character(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

// At most `looked_at` bytes, not cut in the middle of a character.
std::string_view beginning_of(std::string_view text)
{
    if (text.size() <= looked_at) return text;
    std::size_t end = looked_at;
    while (end > 0 && continues_a_character(text[end])) --end;
    return text.substr(0, end);
}

// The first `count` characters of a valid text.
std::string_view first_characters(std::string_view text, std::size_t count)
{
    std::size_t at = 0;
    while (at < text.size() && count > 0) {
        ++at;
        while (at < text.size() && continues_a_character(text[at])) ++at;
        --count;
    }
    return text.substr(0, at);
}

// Marks of a heading, a quotation or a list.
void remove_marks(std::string& line)
{
    for (;;) {
        const std::size_t end = line.find_first_not_of("#>*-");
        if (end == 0 || end == line.npos || line[end] != ' ') return;
        line.erase(0, end + 1);
    }
}

}  // namespace

std::string title_from(const std::vector<std::string>& parts)
{
    std::string line;
    bool space = false;
    for (const std::string& part : parts) {
        for (const char byte : beginning_of(part)) {
            if (is_space_or_control(byte)) {
                space = !line.empty();
                continue;
            }
            if (space) line += ' ';
            space = false;
            line += byte;
        }
        space = !line.empty();
        if (line.size() >= looked_at) break;
    }
    remove_marks(line);
    std::string_view title = first_characters(line, max_characters);
    if (title.size() == line.size()) return line;
    const std::size_t word = title.rfind(' ');
    if (word != title.npos && word > title.size() / 2) title = title.substr(0, word);
    return std::string(title) + std::string(ellipsis);
}

std::string title_key(std::string_view title)
{
    return case_folded(title).value_or(std::string(title));
}

}  // namespace parley::chat

#include "auth/password_strength.hpp"

#include "base/utf8.hpp"

#include <sodium/utils.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <zxcvbn.h>

namespace parley::auth {
namespace {

constexpr double bits_enough = 19.93;     // log2(10^6) guesses: the start of zxcvbn's score 2.
constexpr std::size_t window = 100;       // The number of bytes that zxcvbn examines closely.
constexpr std::size_t shortest_word = 3;  // Shorter words occur in most passwords by chance.
constexpr std::size_t most_words = 32;    // Each costs time at each character of the password.

struct Estimate {
    double bits = 0;
    int weakness = NON_MATCH;  // ZxcTypeMatch_t of the largest part.
};

int longest_match(const ZxcMatch_t* matches)
{
    const ZxcMatch_t* longest = matches;
    for (const ZxcMatch_t* match = matches; match != nullptr; match = match->Next)
        if (match->Length > longest->Length) longest = match;
    return longest == nullptr ? NON_MATCH : longest->Type;
}

Estimate estimate(std::string_view part, const char** words)
{
    std::array<char, window + 1> text{};
    std::replace_copy(part.begin(), part.end(), text.begin(), '\0', '\1');
    ZxcMatch_t* matches = nullptr;
    const double bits = ZxcvbnMatch(text.data(), words, &matches);
    const Estimate result{bits, longest_match(matches)};
    ZxcvbnFreeInfo(matches);
    sodium_memzero(text.data(), text.size());
    return result;
}

bool separates_words(char byte)
{
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                        (byte >= '0' && byte <= '9') || static_cast<unsigned char>(byte) >= 0x80;
    return !letter;
}

// "ana.silva@example.org" is checked as a whole, and so are ana, silva, example and org.
std::vector<std::string> words_of(const std::vector<std::string>& names)
{
    std::vector<std::string> words{"parley"};
    const auto add = [&words](std::string word) {
        if (word.size() >= shortest_word && word.size() <= window && words.size() < most_words)
            words.push_back(std::move(word));
    };
    for (const std::string& name : names) add(name);
    for (const std::string& name : names)
        for (auto begin = name.begin(); begin != name.end();) {
            const auto end = std::find_if(begin, name.end(), separates_words);
            add(std::string(begin, end));
            begin = std::find_if_not(end, name.end(), separates_words);
        }
    return words;
}

// One to three characters again and again, which zxcvbn does not see if they have several bytes.
bool repeats_few_characters(std::string_view text)
{
    constexpr int most = 3;
    std::size_t unit = 0;
    for (int characters = 1; characters <= most; ++characters) {
        unit += std::max<std::size_t>(utf8::first(text.substr(unit)).bytes, 1);
        if (unit >= text.size()) return false;
        if (text.substr(unit) == text.substr(0, text.size() - unit)) return true;
    }
    return false;
}

std::string_view reason(int weakness)
{
    if (weakness >= MULTIPLE_MATCH) return "repeating the same word adds little";
    switch (weakness) {
        case DICTIONARY_MATCH:
            return "attackers try words and common passwords first";
        case DICT_LEET_MATCH:
            return "digits for letters do not hide a common word";
        case USER_MATCH:
        case USER_LEET_MATCH:
            return "attackers try the names of the user and of the service first";
        case REPEATS_MATCH:
            return "repeating a character adds little";
        case SEQUENCE_MATCH:
            return "attackers try sequences like abcd and 9876 first";
        case SPATIAL_MATCH:
            return "attackers try neighbouring keys first";
        case DATE_MATCH:
        case YEAR_MATCH:
            return "attackers try dates and years first";
        default:
            return "it has too few different characters";
    }
}

}  // namespace

Judged<> judge_length(const Secret& password)
{
    if (utf8::count(password.reveal()) < shortest_password)
        return Refusal{"too_short",
                       "must have at least " + std::to_string(shortest_password) + " characters"};
    if (password.reveal().size() > longest_password)
        return Refusal{"too_long",
                       "must have at most " + std::to_string(longest_password) + " bytes"};
    return {};
}

Judged<> judge_strength(const Secret& password, const std::vector<std::string>& known_words)
{
    const std::vector<std::string> words = words_of(known_words);
    std::vector<const char*> pointers;
    pointers.reserve(words.size() + 1);
    for (const std::string& word : words) pointers.push_back(word.c_str());
    pointers.push_back(nullptr);

    Estimate strongest{.bits = -1};
    std::string_view before;
    for (std::string_view rest = password.reveal(); !rest.empty();) {
        const std::string_view part = rest.substr(0, window);
        rest.remove_prefix(part.size());
        if (part == before) continue;
        before = part;
        Estimate here = estimate(part, pointers.data());
        if (here.bits >= bits_enough) {
            if (!repeats_few_characters(password.reveal())) return {};
            here = {};
        }
        if (here.bits > strongest.bits) strongest = here;
    }
    return Refusal{"guessable", "is too easy to guess (" + std::string(reason(strongest.weakness)) +
                                    "); try three or four unrelated words"};
}

}  // namespace parley::auth

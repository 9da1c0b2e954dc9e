#include "auth/names.hpp"

#include <gtest/gtest.h>

namespace parley::auth {
namespace {

using namespace std::string_view_literals;

std::string repeated(std::string_view text, std::size_t times)
{
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

std::string code_of_refusal(std::string_view name)
{
    const auto read = read_name(name);
    return read ? "taken" : read.error().code;
}

TEST(Names, TakeWhatPeopleAreCalled)
{
    for (const std::string_view name :
         {"ana", "Ana Silva", "ana.silva+chat@example.org", "Zoë", "李小龍", "Ольга", "محمد", "שרה",
          "O'Brien", "x", "' OR 1=1--", "😀", "नीलम", "김철수"}) {
        const auto read = read_name(name);
        ASSERT_TRUE(read) << name << ": " << read.error().detail;
        EXPECT_EQ(read->text, name);
    }
}

TEST(Names, AreKeptInNfcAndComparedWithoutCase)
{
    EXPECT_EQ(*read_name("Zoe\u0308"), (UserName{"Zoë", "zoë"}));
    EXPECT_EQ(*read_name("STRASSE"), (UserName{"STRASSE", "strasse"}));
    EXPECT_EQ(read_name("Straße")->key, read_name("STRASSE")->key);
    EXPECT_EQ(read_name("ANA@EXAMPLE.ORG")->key, read_name("ana@example.org")->key);
    EXPECT_EQ(read_name("Σίσυφος")->key, read_name("ΣΊΣΥΦΟΣ")->key);
    EXPECT_NE(read_name("İpek")->key, read_name("ipek")->key);
    EXPECT_NE(read_name("zoe")->key, read_name("zoë")->key);
}

TEST(Names, HaveOneTo128Characters)
{
    EXPECT_EQ(code_of_refusal(""), "too_short");
    EXPECT_EQ(code_of_refusal(repeated("a", 128)), "taken");
    EXPECT_EQ(code_of_refusal(repeated("a", 129)), "too_long");
    EXPECT_EQ(code_of_refusal(repeated("😀", 128)), "taken");
    EXPECT_EQ(code_of_refusal(repeated("😀", 129)), "too_long");
    EXPECT_EQ(read_name(repeated("a", 129)).error().detail, "must have at most 128 characters");
}

TEST(Names, AreCountedInNfc)
{
    EXPECT_EQ(code_of_refusal(repeated("e\u0301", 128)), "taken");
    // Four characters that become one, with the most bytes.
    EXPECT_EQ(code_of_refusal(repeated("\u03B1\u0313\u0300\u0345", 128)), "taken");
    EXPECT_EQ(code_of_refusal(repeated("\u0958", 65)), "too_long") << "becomes two characters";
    EXPECT_EQ(code_of_refusal(repeated("\u0958", 64)), "taken");
}

TEST(Names, OfAMegabyteAreRefusedAtOnce)
{
    // Marks in the wrong order: normalising them takes quadratic time.
    EXPECT_EQ(code_of_refusal(repeated("\u0315\u0300", 250'000)), "too_long");
    EXPECT_EQ(read_display_name(repeated("\u0315\u0300", 250'000)).error().code, "too_long");
}

TEST(Names, HaveNoCharactersThatDeceive)
{
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"a\0b"sv, "must not contain control characters"},
        {"\0"sv, "must not contain control characters"},
        {"a\nb", "must not contain control characters"},
        {"ana\t", "must not contain control characters"},
        {"a\x7F"
         "b",
         "must not contain control characters"},
        {"a\u0085b", "must not contain control characters"},
        {"a\u2028b", "must not contain control characters"},
        {"a\u2029b", "must not contain control characters"},
        {"ana\u202Egro", "must not contain control characters"},
        {"ana\u2066gro", "must not contain control characters"},
        {"ana\u200B", "must not contain invisible characters"},
        {"a\u200Dna", "must not contain invisible characters"},
        {"\uFEFFana", "must not contain invisible characters"},
        {"an\u00ADa", "must not contain invisible characters"},
        {"ana\u3164", "must not contain invisible characters"},
        {"ana\uFE0F", "must not contain invisible characters"},
        {"ana\U000E0061", "must not contain invisible characters"},
        {"ana\u00A0silva", "must not contain white space other than plain spaces"},
        {"\u3000ana", "must not contain white space other than plain spaces"},
        {"a\u0378", "must not contain characters that Unicode has not assigned"},
        {"a\uFFFF", "must not contain characters that Unicode has not assigned"},
        {" ana", "must not begin or end with a space"},
        {"ana ", "must not begin or end with a space"},
        {" ", "must not begin or end with a space"},
        {"ana\xFF", "must be valid UTF-8"},
        {"\xED\xA0\x80", "must be valid UTF-8"},
    };
    for (const auto& [name, detail] : cases) {
        const auto read = read_name(name);
        ASSERT_FALSE(read) << name;
        EXPECT_EQ(read.error(), (Refusal{"not_allowed", std::string(detail)})) << name;
    }
}

TEST(Names, BecomeAFaultWhereTheyStood)
{
    const Error error = refused(read_name("").error(), "#/username");
    EXPECT_EQ(error.code, Errc::validation_failed);
    EXPECT_EQ(error.message, "username: must not be empty");
    ASSERT_EQ(error.faults.size(), 1U);
    EXPECT_EQ(error.faults[0].where, "#/username");
    EXPECT_EQ(error.faults[0].code, "too_short");
}

TEST(DisplayNames, AreALineOfUpTo128CharactersInNfc)
{
    EXPECT_EQ(*read_display_name(""), "");
    EXPECT_EQ(*read_display_name("Zoe\u0308 👩\u200D💻 "), "Zoë 👩\u200D💻 ");
    EXPECT_TRUE(read_display_name(repeated("e\u0301", 128)));
    EXPECT_EQ(read_display_name(repeated("a", 129)).error().code, "too_long");
    for (const auto text :
         {"a\0b"sv, "a\r\nb"sv, "a\x1B[31m"sv, "a\u2028"sv, "a\u202E"sv, "\xFF"sv})
        EXPECT_EQ(read_display_name(text).error().code, "not_allowed") << text;
}

}  // namespace
}  // namespace parley::auth

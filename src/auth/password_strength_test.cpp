#include "auth/password_strength.hpp"

#include <gtest/gtest.h>

namespace parley::auth {
namespace {

using namespace std::string_view_literals;

const std::vector<std::string> nobody;

std::string verdict(std::string_view password, const std::vector<std::string>& words = nobody)
{
    const auto judged = judge_strength(Secret(password), words);
    return judged ? "taken" : judged.error().detail;
}

std::string guessable(const std::string& reason)
{
    return "is too easy to guess (" + reason + "); try three or four unrelated words";
}

TEST(PasswordLength, IsEightCharactersTo1024Bytes)
{
    EXPECT_EQ(judge_length(Secret("")).error().code, "too_short");
    EXPECT_EQ(judge_length(Secret("1234567")).error(),
              (Refusal{"too_short", "must have at least 8 characters"}));
    EXPECT_TRUE(judge_length(Secret("12345678")));
    EXPECT_TRUE(judge_length(Secret("\0\0\0\0\0\0\0\0"sv)));
    EXPECT_TRUE(judge_length(Secret("журавлик")));
    for (const auto few : {"журавль"sv, "мама"sv, "日本語"sv, "😀😀"sv})
        EXPECT_EQ(judge_length(Secret(few)).error().code, "too_short") << few;
    EXPECT_TRUE(judge_length(Secret(std::string(1024, 'x'))));
    EXPECT_EQ(judge_length(Secret(std::string(1025, 'x'))).error(),
              (Refusal{"too_long", "must have at most 1024 bytes"}));
}

TEST(PasswordStrength, TakesWhatAMillionGuessesDoNotFind)
{
    for (const auto password :
         {"correct horse battery staple"sv, "xkqzwpvj"sv, "mulher\0peixe\0 janela"sv,
          "пароль-ёлка-снег"sv, "\xFF\x80zq\x01kv\xC3"sv})
        EXPECT_EQ(verdict(password), "taken") << password;
}

TEST(PasswordStrength, SaysWhyAPasswordIsGuessable)
{
    const std::pair<std::string_view, std::string> cases[] = {
        {"password", "attackers try words and common passwords first"},
        {"drowssap", "attackers try words and common passwords first"},
        {"letmein1", "attackers try words and common passwords first"},
        {"P4ssw0rd", "digits for letters do not hide a common word"},
        {"parley12", "attackers try the names of the user and of the service first"},
        {"abcdefgh", "attackers try sequences like abcd and 9876 first"},
        {"rtyuiop[]", "attackers try neighbouring keys first"},
        {"13.05.1987", "attackers try dates and years first"},
        {"~~~~~~~~~~~~", "repeating a character adds little"},
        {"aaaaaaaaaaaa", "repeating the same word adds little"},
        {"passwordpassword", "repeating the same word adds little"},
    };
    for (const auto& [password, reason] : cases)
        EXPECT_EQ(verdict(password), guessable(reason)) << password;
    EXPECT_EQ(judge_strength(Secret("password"), nobody).error().code, "guessable");
}

TEST(PasswordStrength, SeesRepetitionsOfCharactersOfSeveralBytes)
{
    const std::string reason = guessable("it has too few different characters");
    for (const auto password :
         {"가가가가가가가가"sv, "aßaßaßaßa"sv, "äöüäöüäö"sv, "😀😀😀😀😀😀😀😀"sv})
        EXPECT_EQ(verdict(password), reason) << password;
    for (const auto password : {"가나다라마바사아"sv, "äöüßäöüß"sv})
        EXPECT_EQ(verdict(password), "taken");
}

TEST(PasswordStrength, KnowsTheNamesOfTheUser)
{
    const std::vector<std::string> names{"o.vukovic@fjordnet.example", "Ottilie Vukovic"};
    const std::string reason =
        guessable("attackers try the names of the user and of the service first");
    EXPECT_EQ(verdict("vukovicfjordnet"), "taken");
    EXPECT_EQ(verdict("vukovicfjordnet", names), reason);
    EXPECT_EQ(verdict("o.vukovic@fjordnet.example", names), reason);
    EXPECT_EQ(verdict("Ottilie Vukovic", names), reason);
    EXPECT_EQ(verdict("civokuvv", names), reason) << "backwards, and one more";
    EXPECT_EQ(verdict("0tt1lievukovic", names), reason);
}

TEST(PasswordStrength, TakesAnyNames)
{
    std::string many;
    for (int i = 0; i < 300; ++i) many += "w" + std::to_string(100 + i) + ' ';
    const std::vector<std::string> names{
        "", "ab", "@@@", many, std::string(5000, 'x'), std::string("a\0bcd", 5)};
    EXPECT_EQ(verdict("correct horse battery staple", names), "taken");
    EXPECT_NE(verdict("password", names), "taken");
}

TEST(PasswordStrength, CountsNulBytesAsCharacters)
{
    EXPECT_NE(verdict("password\0"sv), "taken");
    EXPECT_NE(verdict("\0\0\0\0\0\0\0\0\0\0\0\0"sv), "taken");
    EXPECT_EQ(verdict("\0correct horse battery staple"sv), "taken") << "not an empty text";
    EXPECT_EQ(verdict("aaaa\0correct horse battery staple"sv), "taken");
}

TEST(PasswordStrength, DoesNotGrowWithLengthAlone)
{
    for (const std::size_t size : {100U, 101U, 500U, 1024U}) {
        EXPECT_NE(verdict(std::string(size, 'a')), "taken") << size;
        std::string words;
        while (words.size() < size) words += "password";
        EXPECT_NE(verdict(words.substr(0, size)), "taken") << size;
    }
}

TEST(PasswordStrength, IsThatOfTheStrongestPart)
{
    EXPECT_EQ(verdict(std::string(1000, 'a') + "correct horse battery"), "taken");
    EXPECT_EQ(verdict("correct horse battery" + std::string(1000, 'a')), "taken");
}

TEST(PasswordStrength, SurvivesAllBytes)
{
    const auto judge = [](const std::string& password) {
        static_cast<void>(judge_strength(Secret(password), {password}));
    };
    for (unsigned byte = 0; byte < 256; ++byte)
        for (std::size_t size = 1; size <= 8; ++size)
            for (std::size_t at = 0; at < size; ++at) {
                std::string password(size, '1');
                password[at] = static_cast<char>(byte);
                judge(password);
            }
    for (const char byte : {'\0', '1', 'a', '~', '\x80', '\xFF'})
        for (const std::size_t size : {99U, 100U, 101U}) judge(std::string(size, byte));
    EXPECT_FALSE(judge_strength(Secret(), nobody));
}

}  // namespace
}  // namespace parley::auth

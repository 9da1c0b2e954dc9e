#include "base/secret.hpp"

#include "base/log.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <ostream>
#include <type_traits>

namespace parley {
namespace {

template <class T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };
template <class T>
concept Loggable = requires(const T& value) { log::kv("key", value); };

static_assert(Printable<std::string> && !Printable<Secret>);
static_assert(fmt::is_formattable<std::string>::value && !fmt::is_formattable<Secret>::value);
static_assert(Loggable<std::string> && !Loggable<Secret>);
static_assert(!std::is_convertible_v<Secret, std::string_view>);
static_assert(!std::is_convertible_v<std::string, Secret>);
static_assert(!std::is_copy_constructible_v<Secret> && !std::is_copy_assignable_v<Secret>);

TEST(Secret, ShowsItselfOnlyWhenAsked)
{
    const Secret secret("hunter2");
    EXPECT_EQ(secret.reveal(), "hunter2");
    EXPECT_TRUE(secret.equals("hunter2"));
    EXPECT_FALSE(secret.equals("hunter3"));
}

TEST(Secret, ErasesTheTextThatItWasTakenFrom)
{
    std::string text = "hunter2";
    const char* bytes = text.data();
    const Secret secret = Secret::taken_from(text);
    EXPECT_EQ(secret.reveal(), "hunter2");
    EXPECT_TRUE(text.empty());
    text.resize(7);  // The bytes are part of the string again, so the test may read them.
    EXPECT_EQ(bytes[6], '\0');
    EXPECT_EQ(bytes[1], '\0');
}

TEST(Secret, LeavesNothingBehindWhenItMoves)
{
    Secret first("one");
    Secret second("two");
    second = std::move(first);
    EXPECT_EQ(second.reveal(), "one");
    EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move)
    EXPECT_TRUE(Secret().empty());
}

}  // namespace
}  // namespace parley

#include "http/message.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace parley::http {
namespace {

TEST(Fields, AreLines)
{
    Fields fields;
    fields.add("X-A", "one");
    fields.add("X-B", "");
    EXPECT_EQ(fields.lines(), "X-A: one\r\nX-B: \r\n");
    EXPECT_EQ(fields.get("x-a"), "one");
    EXPECT_EQ(fields.get("x-b"), "");
    EXPECT_EQ(fields.get("x-c"), std::nullopt);
    fields.replace("X-A", "two");
    EXPECT_EQ(fields.lines(), "X-A: two\r\nX-B: \r\n");
}

TEST(Fields, TakeNoLineBreaks)
{
    for (const char c : {'\r', '\n', '\0'}) {
        const std::string odd = std::string("a") + c + "b";
        Fields fields;
        EXPECT_THROW(fields.add("X-A", odd), std::logic_error);
        EXPECT_THROW(fields.add(odd, "a"), std::logic_error);
        EXPECT_THROW(fields.add("X-A", std::string(1, c)), std::logic_error);
        EXPECT_EQ(fields.lines(), "");
    }
    Fields fields;
    fields.add("X-A", "\t\x01\xFF ");
    EXPECT_EQ(fields.lines(), "X-A: \t\x01\xFF \r\n");
}

}  // namespace
}  // namespace parley::http

#include "base/base64.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

std::string encoded(std::string_view bytes)
{
    std::string text;
    append_base64(text, bytes);
    return text;
}

// The examples of RFC 4648.
TEST(Base64, WritesAndReadsEveryLength)
{
    const std::pair<std::string, std::string> examples[] = {{"", ""},
                                                            {"f", "Zg=="},
                                                            {"fo", "Zm8="},
                                                            {"foo", "Zm9v"},
                                                            {"foob", "Zm9vYg=="},
                                                            {"fooba", "Zm9vYmE="},
                                                            {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : examples) {
        EXPECT_EQ(encoded(bytes), text);
        EXPECT_EQ(base64({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()}),
                  text);
        EXPECT_EQ(base64_decoded(text), bytes);
    }
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    EXPECT_EQ(base64_decoded(encoded(all)), all);
    EXPECT_EQ(encoded("\xfb\xff\xfe"), "+//+");
}

TEST(Base64, RefusesEveryOtherText)
{
    for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "=",
                             "==", "====", "Zh==", "Zm9=", "Zm8=Zm8=", "Zg==Zg==", "Zm 9", "Zm9v\n",
                             "Zm-_", "Z=g=", "\xc3\xa9Zm", "Zm8=\n"})
        EXPECT_EQ(base64_decoded(text), std::nullopt) << text;
    EXPECT_EQ(base64_decoded(std::string_view("Zg\0=", 4)), std::nullopt);
}

}  // namespace
}  // namespace parley

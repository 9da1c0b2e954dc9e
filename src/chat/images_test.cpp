#include "chat/images.hpp"

#include "engine/tool_text.hpp"

#include <gtest/gtest.h>

namespace parley::chat {
namespace {

using namespace std::string_literals;

const std::string png = "\x89PNG\r\n\x1a\n and more"s;

std::string url_of(const std::string& type, const std::string& bytes)
{
    return data_url({.media_type = type, .bytes = bytes});
}

TEST(Images, AreReadFromDataUrls)
{
    const std::pair<std::string, std::string> examples[] = {
        {"image/png", png},
        {"image/jpeg", "\xff\xd8\xff\xe0"s},
        {"image/gif", "GIF87a"s},
        {"image/gif", "GIF89a..."s},
        {"image/webp", "RIFF\0\0\0\0WEBPVP8 "s}};
    for (const auto& [type, bytes] : examples) {
        const auto read = read_data_url(url_of(type, bytes));
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->media_type, type);
        EXPECT_EQ(read->bytes, bytes);
        EXPECT_EQ(read->sha256.size(), 64U);
        EXPECT_EQ(image_in_path(path_of_image(read->sha256)), read->sha256);
    }
    EXPECT_EQ(read_data_url("data:image/gif;base64,R0lGODlh")->sha256,
              "610f5ae4d76e332636a17bd357fd6ce99029316a99d320280d4d77a746bf29e8");
}

TEST(Images, AreRefusedIfTheyAreNotWhatTheySay)
{
    const std::string html = "<script>alert(1)</script>";
    for (const std::string& url :
         {""s, "data:"s, "https://example.org/a.png"s, "data:image/png,"s, "data:image/png;base64"s,
          "data:image/png;base64,"s, "data:;base64,R0lGODlh"s,
          "data:image/svg+xml;base64,PHN2Zz4="s, "data:text/html;base64,PGI+"s,
          "data:IMAGE/GIF;base64,R0lGODlh"s, "data:image/gif;charset=x;base64,R0lGODlh"s,
          "data:image/gif;base64,R0lGODl"s, "data:image/gif;base64,R0lG ODlh"s,
          "data:image/gif;base64,R0lGODlh\n"s, " data:image/gif;base64,R0lGODlh"s,
          url_of("image/png", html), url_of("image/jpeg", png), url_of("image/png", "\x89PNG"),
          url_of("image/webp", "RIFF\0\0\0\0WAVE"s)})
        EXPECT_FALSE(read_data_url(url)) << url;
}

TEST(Images, HaveAPathThatOnlyHashesHave)
{
    const std::string hash(64, 'a');
    EXPECT_EQ(image_in_path(path_of_image(hash)), hash);
    for (const std::string& path :
         {"/v1/api/chat/images/"s, path_of_image(std::string(63, 'a')),
          path_of_image(std::string(64, 'A')), path_of_image(std::string(64, 'g')),
          path_of_image(hash) + "/", "https://x.example" + path_of_image(hash)})
        EXPECT_EQ(image_in_path(path), "") << path;
}

TEST(Images, StayWhereTheyAreInAMessage)
{
    const std::string one(64, '1');
    const std::string two(64, '2');
    const store::Message message{
        .parts = {"ab", "cde"},
        .images = {
            {.after = 0, .sha256 = one}, {.after = 1, .sha256 = two}, {.after = 2, .sha256 = one}}};
    const engine::Turn turn = turn_of(message, true);
    EXPECT_EQ(turn.text, "abcde");
    ASSERT_EQ(turn.images.size(), 3U);
    EXPECT_EQ(turn.images[0].at, 0U);
    EXPECT_EQ(turn.images[1].at, 2U);
    EXPECT_EQ(turn.images[2].at, 5U);
    EXPECT_EQ(*turn.images[1].url, path_of_image(two));

    const Content content = content_of(turn);
    EXPECT_EQ(content.parts, message.parts);
    EXPECT_EQ(content.images, message.images);
    EXPECT_EQ(turn_of(message, false).text, "[image]ab[image]cde[image]");
    EXPECT_TRUE(turn_of(message, false).images.empty());

    EXPECT_EQ(content_of({Speaker::user, ""}).parts, std::vector<std::string>{""});
    EXPECT_TRUE(content_of(turn_of({.images = {{.sha256 = one}}}, true)).parts.empty());
}

TEST(Images, StayWhereTheyAreIfTheTextIsEscaped)
{
    const std::string hash(64, '1');
    store::Message message{.parts = {"<", "tool_response>"},
                           .images = {{.after = 0, .sha256 = hash}, {.after = 1, .sha256 = hash}}};
    Content content = content_of(turn_of(message, true));
    EXPECT_EQ(content.images, message.images);
    EXPECT_EQ(content.parts, (std::vector<std::string>{"<\\", "tool_response>"}));
    engine::unescape_question(content.parts);
    EXPECT_EQ(content.parts, message.parts);

    // Text before it makes an escape superfluous.
    EXPECT_EQ(turn_of(message, false).text, "[image]<[image]tool_response>");
    message.images.clear();
    EXPECT_EQ(turn_of(message, false).text, "<\\tool_response>");
    message.structured = true;
    EXPECT_EQ(turn_of(message, true).text, "<tool_response>");
}

}  // namespace
}  // namespace parley::chat

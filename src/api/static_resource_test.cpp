#include "api/static_resource.hpp"

#include "api/pipeline_for_tests.hpp"

#include <gtest/gtest.h>

#include <array>
#include <zlib.h>

namespace parley::api {
namespace {

std::string unpacked(const std::string& packed)
{
    std::string text(1 << 20, '\0');
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    text.resize(stream.total_out);
    inflateEnd(&stream);
    return text;
}

http::Response asked(const StaticResource& what, std::vector<http::Field> fields)
{
    http::RequestHead head;
    for (const http::Field& field : fields) head.fields.push_back(field);
    return cached_response(what, head);
}

const StaticResource& page()
{
    static const StaticResource made("text/plain", std::string(5000, 'a') + "!");
    return made;
}

TEST(Cached, IsSentCompressedToClientsThatLikeIt)
{
    const auto plain = asked(page(), {});
    EXPECT_EQ(plain.content().size(), 5001U);
    EXPECT_EQ(field_of(plain, "Content-Encoding"), "(none)");
    EXPECT_EQ(field_of(plain, "Vary"), "Accept-Encoding");

    const auto packed = asked(page(), {{"Accept-Encoding", "br, gzip"}});
    EXPECT_LT(packed.content().size(), 100U);
    EXPECT_EQ(unpacked(std::string(packed.content())), plain.content());
    EXPECT_EQ(field_of(packed, "Content-Encoding"), "gzip");
    EXPECT_EQ(field_of(packed, "Content-Type"), "text/plain");
    EXPECT_EQ(field_of(packed, "Vary"), "Accept-Encoding");
}

TEST(Cached, IsInMemoryOnceForAllWhoAsk)
{
    const auto one = asked(page(), {});
    const auto other = asked(page(), {});
    EXPECT_EQ(one.shared_body, other.shared_body);
    EXPECT_EQ(one.body, "");
}

TEST(Cached, GivesEachFormATagOfItsOwn)
{
    const http::Field gzip{"Accept-Encoding", "gzip"};
    const std::string plain = field_of(asked(page(), {}), "ETag");
    const std::string packed = field_of(asked(page(), {gzip}), "ETag");
    EXPECT_NE(plain, packed);
    EXPECT_EQ(asked(page(), {{"If-None-Match", plain}}).status, 304);
    EXPECT_EQ(asked(page(), {gzip, {"If-None-Match", packed}}).status, 304);
    EXPECT_EQ(asked(page(), {gzip, {"If-None-Match", plain}}).status, 200);
    const auto unchanged = asked(page(), {gzip, {"If-None-Match", packed}});
    EXPECT_EQ(unchanged.content(), "");
    EXPECT_EQ(field_of(unchanged, "ETag"), packed);
    EXPECT_EQ(field_of(unchanged, "Vary"), "Accept-Encoding");
}

}  // namespace
}  // namespace parley::api

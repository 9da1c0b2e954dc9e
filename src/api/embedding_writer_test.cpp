#include "api/embedding_writer.hpp"

#include "base/json.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace parley::api {
namespace {

std::string written(EmbeddingFormat format, std::initializer_list<std::vector<float>> vectors)
{
    std::string list = begin_embeddings();
    std::size_t index = 0;
    for (const auto& vector : vectors) append_embedding(list, index++, vector, format);
    end_embeddings(list, "a \"model\"", 7);
    return list;
}

TEST(EmbeddingWriter, WritesNumbersThatReadBackTheSame)
{
    const std::string list =
        written(EmbeddingFormat::floats, {{0.1F, -1e-7F, 1}, {0, -0.8F, 0.6F}});
    EXPECT_EQ(
        list,
        R"({"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.1,-1e-07,1]},)"
        R"({"object":"embedding","index":1,"embedding":[0,-0.8,0.6]}],"model":"a \"model\"",)"
        R"("usage":{"prompt_tokens":7,"total_tokens":7}})");
    EXPECT_TRUE(json::parse(list));
}

TEST(EmbeddingWriter, WritesBase64OfLittleEndianFloats)
{
    EXPECT_NE(written(EmbeddingFormat::base64, {{1, -2}}).find(R"("embedding":"AACAPwAAAMA="})"),
              std::string::npos);
}

// The text has the members of the documented object, in their order.
TEST(EmbeddingWriter, WritesTheDocumentedMembers)
{
    const auto parsed = json::parse(written(EmbeddingFormat::floats, {{1}}));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->as_object().size(), std::tuple_size_v<decltype(EmbeddingList::fields())>);
    EXPECT_EQ(parsed->at("data").at(0).as_object().size(),
              std::tuple_size_v<decltype(EmbeddingView::fields())>);
}

}  // namespace
}  // namespace parley::api

#include "engine/llama/embedding_engine.hpp"

#include "base/block_on.hpp"
#include "engine/embedder.hpp"
#include "engine/llama/embedding_for_tests.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

namespace parley::engine::llama {
namespace {

using testing::HasSubstr;

class EmbeddingEngineTest : public testing::Test {
protected:
    void SetUp() override { write(TinyEmbeddingModel().bytes()); }
    void TearDown() override { std::filesystem::remove(path); }

    void write(const std::string& bytes) const
    {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    }
    std::unique_ptr<Engine> open()
    {
        auto made = make_llama_engine({.path = path, .threads = 1});
        EXPECT_TRUE(made) << made.error().message;
        return std::move(*made);
    }
    std::string refused(LlamaOptions options)
    {
        options.path = path;
        const auto made = make_llama_engine(options);
        return made ? "" : made.error().message;
    }
    static Vectors embedded(Engine& engine, std::vector<std::string> texts)
    {
        auto lists = block_on(engine.embedder()->tokenize(std::move(texts)));
        const auto embedding = engine.embedder()->prepare(std::move(lists));
        auto vectors = block_on(embedding->finish());
        EXPECT_TRUE(vectors) << vectors.error().message;
        return vectors ? std::move(*vectors) : Vectors();
    }
    static double similarity(const std::vector<float>& one, const std::vector<float>& other)
    {
        double sum = 0;
        for (std::size_t i = 0; i < one.size(); ++i) sum += static_cast<double>(one[i]) * other[i];
        return sum;
    }

    const std::string path = std::filesystem::temp_directory_path() /
                             ("parley-embedding-" + std::to_string(::getpid()) + ".gguf");
};

TEST_F(EmbeddingEngineTest, CannotChat)
{
    const auto engine = open();
    EXPECT_FALSE(engine->can_chat());
    EXPECT_TRUE(engine->capabilities().embeddings);
    EXPECT_FALSE(engine->capabilities().json_schema);
    EXPECT_EQ(engine->context(), TinyEmbeddingModel::context);
    EXPECT_EQ(engine->embedder()->dimensions(), TinyEmbeddingModel::dimensions);
    EXPECT_EQ(block_on(engine->count({{Speaker::user, "cat"}})).error().code,
              Errc::model_unavailable);
    EXPECT_EQ(block_on(engine->start({.turns = {{Speaker::user, "cat"}}}, "")).error().code,
              Errc::model_unavailable);
}

TEST_F(EmbeddingEngineTest, TokensAreFramed)
{
    const auto engine = open();
    EXPECT_EQ(block_on(engine->embedder()->tokenize({"The cats [SEP]", "unknown"})),
              (TokenLists{{2, 4, 5, 8, 1, 1, 1, 3}, {2, 1, 3}}))
        << "special tokens cannot be written";
}

TEST_F(EmbeddingEngineTest, AVectorHasTheLengthOneAndIsTheSameEachTime)
{
    const auto engine = open();
    const Vectors first = embedded(*engine, {"the cat sat", "the dog"});
    ASSERT_EQ(first.size(), 2U);
    ASSERT_EQ(first[0].size(), TinyEmbeddingModel::dimensions);
    EXPECT_NEAR(similarity(first[0], first[0]), 1, 1e-6);
    EXPECT_LT(similarity(first[0], first[1]), 0.999);
    EXPECT_EQ(embedded(*engine, {"the cat sat", "the dog"}), first);
}

TEST_F(EmbeddingEngineTest, AVectorDoesNotDependOnTheTextsBesideIt)
{
    const auto engine = open();
    const Vectors alone = embedded(*engine, {"the cat sat"});
    std::vector<std::string> texts{"the cat sat"};
    for (int i = 0; i < 200; ++i) texts.emplace_back(i % 2 == 0 ? "dog the dog sat" : "cat");
    texts.emplace_back("the cat sat");
    const Vectors beside = embedded(*engine, texts);
    ASSERT_EQ(beside.size(), texts.size());
    EXPECT_GT(similarity(beside.front(), alone[0]), 0.999999);
    EXPECT_GT(similarity(beside.back(), alone[0]), 0.999999);
    EXPECT_GT(similarity(beside[1], beside[199]), 0.999999);
    EXPECT_EQ(engine->figures().input_tokens, 5U + 100 * 6 + 100 * 3 + 2 * 5);
}

TEST_F(EmbeddingEngineTest, ATextOfTheWholeContextIsEmbedded)
{
    const auto engine = open();
    const auto words = [](int count) {
        std::string text;
        for (int i = 0; i < count; ++i) text += "cat ";
        return text;
    };
    EXPECT_EQ(embedded(*engine, {words(62)}).size(), 1U);
    const auto longer =
        block_on(engine->embedder()->tokenize({words(63), std::string(9'000, 'x')}));
    EXPECT_EQ(longer[0].size(), 65U);
    EXPECT_EQ(longer[1].size(), 65U) << "so many bytes are not tokenized";
}

TEST_F(EmbeddingEngineTest, StopsOnDemand)
{
    const auto engine = open();
    std::vector<std::string> texts(2000, "the cat sat the dog sat the cat");
    auto lists = block_on(engine->embedder()->tokenize(std::move(texts)));
    const auto embedding = engine->embedder()->prepare(std::move(lists));
    embedding->stop();
    EXPECT_EQ(block_on(embedding->finish()).error().code, Errc::run_cancelled);
    EXPECT_EQ(embedded(*engine, {"the cat"}).size(), 1U) << "the engine works on";
}

TEST_F(EmbeddingEngineTest, EndsInTheMiddleOfABatch)
{
    auto engine = open();
    auto lists = block_on(engine->embedder()->tokenize(std::vector<std::string>(2000, "the cat")));
    const auto embedding = engine->embedder()->prepare(std::move(lists));
    const auto ending = [&]() -> Task<Result<Vectors>> {
        boost::asio::post(co_await boost::asio::this_coro::executor, [&] { embedding->stop(); });
        co_return co_await embedding->finish();
    };
    EXPECT_EQ(block_on(ending()).error().code, Errc::run_cancelled);
    engine.reset();
}

TEST_F(EmbeddingEngineTest, ManyMayAskAtOnce)
{
    const auto engine = open();
    const auto ask = [&](std::string text) -> Task<Vectors> {
        auto lists = co_await engine->embedder()->tokenize({std::move(text), "dog"});
        const auto embedding = engine->embedder()->prepare(std::move(lists));
        co_return (co_await embedding->finish()).value();
    };
    std::vector<Task<Vectors>> asking;
    for (int i = 0; i < 20; ++i) asking.push_back(ask(i % 2 == 0 ? "cat" : "the sat"));
    const auto answered = block_on_all(std::move(asking));
    for (const Vectors& each : answered) {
        ASSERT_EQ(each.size(), 2U);
        EXPECT_GT(similarity(each[1], answered[0][1]), 0.999999);
    }
    EXPECT_GT(similarity(answered[0][0], answered[2][0]), 0.999999);
    EXPECT_LT(similarity(answered[0][0], answered[1][0]), 0.999);
}

TEST_F(EmbeddingEngineTest, RefusesSettingsThatDoNotFit)
{
    EXPECT_THAT(refused({.memory = {.context = 65}}), HasSubstr("knows 64 tokens, not 65."));
    EXPECT_THAT(refused({.memory = {.context = 8}}), HasSubstr("at least 16 tokens"));
    EXPECT_THAT(refused({.tools = true}), HasSubstr("set tools to false"));
}

}  // namespace
}  // namespace parley::engine::llama

#include "engine/llama/embedding_batches.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace parley::engine::llama {
namespace {

const Error broken{Errc::model_unavailable, "broken"};

// Tasks that wait for the vectors of jobs, on a loop of their own.
class EmbeddingBatchesTest : public testing::Test {
protected:
    // A job whose texts have so many tokens each; its end appears in `ended`.
    EmbeddingJobRef add(const std::string& name, const std::vector<std::size_t>& sizes)
    {
        TokenLists texts;
        for (const std::size_t size : sizes) texts.emplace_back(size);
        auto job = std::make_shared<EmbeddingJob>(std::move(texts));
        boost::asio::co_spawn(loop, wait(name, job), boost::asio::detached);
        settle();
        batches.add(job);
        names[job.get()] = name;
        return job;
    }
    // "a0 b0 a1": the next batch.
    std::string next()
    {
        batch = batches.next();
        std::string texts;
        for (const auto& [job, index] : batch)
            texts.append(texts.empty() ? "" : " ")
                .append(names[job.get()])
                .append(std::to_string(index));
        settle();
        return texts;
    }
    void deliver()
    {
        Vectors vectors;
        for (const auto& text : batch) vectors.push_back({static_cast<float>(text.index)});
        EmbeddingBatches::deliver(batch, std::move(vectors));
        settle();
    }
    void settle()
    {
        loop.restart();
        loop.poll();
    }

    boost::asio::io_context loop;
    EmbeddingBatches batches{10, 4};
    std::vector<EmbeddingBatches::Text> batch;
    std::map<EmbeddingJob*, std::string> names;
    std::map<std::string, Result<Vectors>> ended;

private:
    Task<> wait(std::string name, EmbeddingJobRef job)
    {
        auto how = co_await await_callback<Result<Vectors>>(
            [&job](Completion<Result<Vectors>> done) { job->done.emplace(std::move(done)); });
        ended.emplace(std::move(name), std::move(how));
    }
};

TEST_F(EmbeddingBatchesTest, JobsTakeTurns)
{
    add("a", {1, 1, 1, 1, 1, 1});
    add("b", {1});
    EXPECT_EQ(next(), "a0 b0 a1 a2");
    deliver();
    ASSERT_TRUE(ended.contains("b"));
    EXPECT_EQ(ended.at("b").value(), (Vectors{{0}}));
    EXPECT_FALSE(ended.contains("a"));
    add("c", {1, 1});
    EXPECT_EQ(next(), "a3 c0 a4 c1");
    deliver();
    EXPECT_EQ(next(), "a5");
    deliver();
    EXPECT_EQ(ended.at("a").value(), (Vectors{{0}, {1}, {2}, {3}, {4}, {5}}));
    EXPECT_TRUE(batches.empty());
}

TEST_F(EmbeddingBatchesTest, ABatchIsNeverTooLong)
{
    add("a", {6, 6});
    add("b", {5, 4});
    EXPECT_EQ(next(), "a0");  // The text of b does not fit, and must not wait for shorter ones.
    deliver();
    EXPECT_EQ(next(), "b0");
    deliver();
    EXPECT_EQ(next(), "a1 b1");
    deliver();
    EXPECT_EQ(ended.size(), 2U);
}

TEST_F(EmbeddingBatchesTest, AnAbandonedJobEndsBeforeTheNextBatch)
{
    const auto job = add("a", {1, 1, 1, 1, 1});
    add("b", {1});
    EXPECT_EQ(next(), "a0 b0 a1 a2");
    job->abandoned = true;
    deliver();
    EXPECT_FALSE(ended.contains("a"));
    EXPECT_EQ(next(), "");
    EXPECT_EQ(ended.at("a").error().code, Errc::run_cancelled);
}

TEST_F(EmbeddingBatchesTest, AJobThatIsStoppedDoesNotWaitForItsBatch)
{
    const auto job = add("a", {1, 1});
    EXPECT_EQ(next(), "a0 a1");
    job->end(no_longer_needed());
    settle();
    ASSERT_TRUE(ended.contains("a"));
    EXPECT_EQ(ended.at("a").error().code, Errc::run_cancelled);
    deliver();  // Too late; nothing happens.
}

TEST_F(EmbeddingBatchesTest, AFailureEndsTheJobsOfTheBatchOnly)
{
    add("a", {1, 1, 1, 9});
    EXPECT_EQ(next(), "a0 a1 a2");
    add("b", {1});
    batches.fail(batch, broken);
    EXPECT_EQ(next(), "b0");
    deliver();
    EXPECT_EQ(ended.at("a").error().message, "broken");
    EXPECT_TRUE(ended.at("b"));

    add("c", {1});
    batches.fail_all(broken);
    settle();
    EXPECT_EQ(ended.at("c").error().message, "broken");
    EXPECT_TRUE(batches.empty());
}

}  // namespace
}  // namespace parley::engine::llama

// Shared by the tests of runs: all services of a server with a store in memory, a temporary
// journal, and the scripted model. A run lives on the loop of the task that started it, so run()
// returns when both have ended.
#pragma once

#include "base/block_on.hpp"
#include "base/id.hpp"
#include "chat/events.hpp"
#include "chat/questions.hpp"
#include "chat/sessions.hpp"
#include "chat/views.hpp"
#include "engine/scripted/scripted_engine.hpp"
#include "journal/file/file_journal.hpp"
#include "store/sqlite/memory_store.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <stdlib.h>
#include <string>
#include <vector>

namespace parley::chat {

using namespace std::chrono_literals;

class PlainErrors final : public RunErrors {
public:
    RunError stored(const Error& error) const override { return {"failed", error.message}; }
    boost::json::object shown(const RunError& error) const override
    {
        return {{"detail", error.detail}};
    }
};

class ChatTest : public testing::Test {
protected:
    ChatTest()
    {
        std::string name = testing::TempDir() + "parley-chat-XXXXXX";
        folder = ::mkdtemp(name.data());
        models.add("scripted", engine::scripted::make_scripted_engine());
        models.add("small", engine::scripted::make_scripted_engine({.context = 100}));
        ana = added_user("ana");
        ben = added_user("ben");
        open();
    }
    ~ChatTest() override
    {
        close();
        std::filesystem::remove_all(folder);
    }

    // As at the start of a server; may be called again after close().
    void open(RunOptions options = {})
    {
        close();
        auto opened = journal::file::FileJournal::open(folder / "journal");
        ASSERT_TRUE(opened) << opened.error().message;
        journal = std::move(*opened);
        runs = std::make_unique<Runs>(*store, *journal, models, errors, options);
        questions = std::make_unique<Questions>(*store, models, *runs, system_clock());
        sessions = std::make_unique<Sessions>(*store, models, *questions, *runs, system_clock());
    }
    void close()
    {
        sessions.reset();
        questions.reset();
        runs.reset();
        journal.reset();
    }

    Owner added_user(const std::string& name)
    {
        const TimePoint now = system_clock().now();
        store::User user{.id = new_id("usr", now),
                         .username = name,
                         .name_key = name,
                         .display_name = name,
                         .created_at = now};
        EXPECT_TRUE(block_on(store->accounts().add_user(user)));
        return {user.id};
    }

    static Question saying(std::string text)
    {
        Question question;
        question.parts.emplace().push_back(std::move(text));
        return question;
    }

    // Asks and waits for the end.
    Task<Result<store::RunWithMessages>> turn(Owner owner, Question question)
    {
        const auto asked = co_await questions->ask(owner, std::move(question));
        if (!asked) co_return asked.error();
        auto ended = co_await asked->run.wait_for_end(20s);
        if (!ended) co_return ended.error();
        co_return *asked->run.whole();
    }
    Result<store::RunWithMessages> ask(const Owner& owner, Question question)
    {
        return block_on(turn(owner, std::move(question)));
    }

    static std::string text_of(const store::RunWithMessages& whole)
    {
        return whole.answer ? whole.answer->parts.at(0) : "(none)";
    }

    RunHandle handle(const store::RunWithMessages& stored)
    {
        return block_on(runs->find(stored)).value();
    }

    // All frames of a reader, up to the last one.
    Task<std::vector<std::string>> read_all(EventReader reader, std::string answer)
    {
        std::vector<std::string> frames;
        for (;;) {
            auto batch = co_await reader.next();
            if (!batch) {
                frames.push_back("error: " + batch.error().message);
                co_return frames;
            }
            for (const RunEvent& event : batch->events) frames.push_back(*frame_of(event, answer));
            if (batch->is_last || batch->was_suspended) co_return frames;
        }
    }

    // All frames after a number.
    Task<std::vector<std::string>> read_all(RunHandle run, std::int64_t after)
    {
        return read_all(run.read(after), run.whole()->run.answer);
    }
    Task<std::vector<std::string>> read_all(store::RunWithMessages ended, std::int64_t after)
    {
        co_return co_await read_all((co_await runs->find(std::move(ended))).value(), after);
    }

    std::filesystem::path folder;
    const PlainErrors errors;
    std::unique_ptr<store::Store> store = store::make_memory_store();
    engine::Models models;
    std::unique_ptr<journal::Journal> journal;
    std::unique_ptr<Runs> runs;
    std::unique_ptr<Questions> questions;
    std::unique_ptr<Sessions> sessions;
    Owner ana;
    Owner ben;
};

}  // namespace parley::chat

// The fixture of the contract tests of chats: two users, and functions to create runs.
#pragma once

#include "store/contract_fixture.hpp"

#include <set>

namespace parley::store {

class ChatContractTest : public ContractTest {
protected:
    using ContractTest::ContractTest;

    Sessions& sessions() { return store->sessions(); }
    Messages& messages() { return store->messages(); }
    Runs& runs() { return store->runs(); }
    TimePoint later()
    {
        clock.advance(1ms);
        return clock.now();
    }

    const User ana = added_user("ana");
    const User ben = added_user("ben");
    const Owner anas{ana.id, false};
    const Owner anas_test{ana.id, true};
    const Owner bens{ben.id, false};

    Session new_session(const Owner& owner, const std::string& title = {})
    {
        const TimePoint now = later();
        return {.id = new_id("ses", now),
                .owner = owner,
                .title = title,
                .title_key = title,
                .title_was_set = !title.empty(),
                .created_at = now,
                .updated_at = now};
    }
    Session created(const Owner& owner, const std::string& title = {})
    {
        return block_on(sessions().create_session(new_session(owner, title))).value().session;
    }
    Session found(const Session& session)
    {
        return block_on(sessions().find_session(session.owner, session.id)).value();
    }
    bool is_there(const Session& session)
    {
        return block_on(sessions().find_session(session.owner, session.id)).has_value();
    }

    // Something to be asked; with Regenerate, the text is not used.
    NewRun new_run(const Session& session, Placement placement = AfterNewest{},
                   const std::string& text = "Why?")
    {
        const TimePoint now = later();
        NewRun wanted{.run = {.id = new_id("run", now),
                              .owner = session.owner,
                              .session = session.id,
                              .answer = new_id("msg", now),
                              .model = "scripted",
                              .parameters = R"({"seed":7})",
                              .created_at = now},
                      .placement = placement};
        if (!std::holds_alternative<Regenerate>(placement))
            wanted.question = Message{.id = new_id("msg", now), .parts = {text}, .created_at = now};
        return wanted;
    }
    // With a session of its own.
    NewRun first_run(const Owner& owner, const std::string& title = {})
    {
        const Session session = new_session(owner, title);
        NewRun wanted = new_run(session);
        wanted.run.session.clear();
        wanted.new_session = session;
        return wanted;
    }
    Result<BegunRun> begin(NewRun wanted) { return block_on(runs().begin_run(std::move(wanted))); }
    RunWithMessages begun(const Session& session, Placement placement = AfterNewest{},
                          const std::string& text = "Why?")
    {
        return begin(new_run(session, std::move(placement), text)).value().whole;
    }

    FinishedRun end_of(const store::Run& run, const std::string& text = "Because.")
    {
        const TimePoint now = later();
        return {.run = run.id,
                .session = run.cause.automation_run.empty() ? run.session : "",
                .started_at = run.created_at,
                .completed_at = now,
                .answer = {.parts = {text},
                           .created_at = now,
                           .stop_reason = StopReason::end_turn,
                           .model = run.model},
                .last_number = 2,
                .events = "first and last",
                .kept_since = now};
    }
    Result<> finish(const RunWithMessages& whole, const std::string& text = "Because.")
    {
        return block_on(runs().finish_run(end_of(whole.run, text)));
    }
    // A question and its answer.
    RunWithMessages asked(const Session& session, Placement placement = AfterNewest{},
                          const std::string& text = "Why?", const std::string& answer = "Because.")
    {
        const RunWithMessages begun_run = begun(session, std::move(placement), text);
        EXPECT_TRUE(finish(begun_run, answer));
        return found(begun_run);
    }
    RunWithMessages found(const RunWithMessages& whole)
    {
        return block_on(runs().find_run(whole.run.owner, whole.run.id)).value();
    }
    PlacedMessage found(const Message& message, const Owner& owner)
    {
        return block_on(messages().find_message(owner, message.id)).value();
    }

    // An idempotency key as a client sends it; the fingerprint represents its request.
    KeyClaim claim(const std::string& key, unsigned char fingerprint = 1)
    {
        KeyClaim made{.key = key, .now = clock.now(), .expires_at = clock.now() + 24h};
        made.fingerprint[31] = fingerprint;  // Zeros before it: it is no text.
        return made;
    }
};

}  // namespace parley::store

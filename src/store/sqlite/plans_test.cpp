// How SQLite goes about what the store asks of it: that no page costs more the later it comes, and
// that nothing is found by reading everything.
#include "store/chat_contract_fixture.hpp"
#include "store/sqlite/database.hpp"
#include "store/sqlite/directory_for_tests.hpp"
#include "store/sqlite/sqlite_store.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace parley::store::sqlite {
namespace {

// Every statement that any connection of this process runs, with the steps it took.
class Watch {
public:
    Watch()
    {
        watching = this;
        sqlite3_auto_extension(reinterpret_cast<void (*)()>(&begin));
    }
    ~Watch()
    {
        sqlite3_cancel_auto_extension(reinterpret_cast<void (*)()>(&begin));
        watching = nullptr;
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    std::set<std::string> statements()
    {
        const std::lock_guard lock(mutex_);
        return statements_;
    }
    // Since they were last asked for.
    std::uint64_t steps() { return steps_.exchange(0); }

private:
    static int begin(sqlite3* connection, const char** /*error*/,
                     const sqlite3_api_routines* /*api*/)
    {
        return sqlite3_trace_v2(connection, SQLITE_TRACE_PROFILE, &note, nullptr);
    }
    static int note(unsigned /*kind*/, void* /*context*/, void* statement, void* /*nanoseconds*/)
    {
        Watch* watch = watching;
        auto* const run = static_cast<sqlite3_stmt*>(statement);
        if (!watch) return 0;
        watch->steps_ +=
            static_cast<std::uint64_t>(sqlite3_stmt_status(run, SQLITE_STMTSTATUS_VM_STEP, 1));
        const std::lock_guard lock(watch->mutex_);
        watch->statements_.insert(sqlite3_sql(run));
        return 0;
    }

    static inline std::atomic<Watch*> watching = nullptr;
    std::mutex mutex_;
    std::set<std::string> statements_;
    std::atomic<std::uint64_t> steps_ = 0;
};

struct PlanColumns {
    const sql::Statement* in;
    sql::Column<std::string> detail{*in, "detail"};
};

struct ForeignKeyColumns {
    const sql::Statement* in;
    sql::Column<std::string> table{*in, "name"};
    sql::Column<std::string> column{*in, "from"};
};

struct WatchedStore final : StoreOnTrial {
    Watch watch;
    TestDirectory directory;
    std::filesystem::path file = directory / "parley.db";
    std::unique_ptr<Store> open() override
    {
        return std::move(open_sqlite_store({.file = file})).value();
    }
    bool keeps() const override { return true; }
};

class PlansTest : public ChatContractTest {
protected:
    PlansTest() : ChatContractTest(std::make_unique<WatchedStore>()) {}

    WatchedStore& watched() { return dynamic_cast<WatchedStore&>(*trial); }

    // Does `work` once to warm up what is kept, then tells what it costs.
    template <class Work>
    std::uint64_t steps_of(Work work)
    {
        work();
        watched().watch.steps();
        work();
        return watched().watch.steps();
    }
    std::vector<std::string> plan_of(const std::string& sql)
    {
        Database database(watched().file, Database::Access::write);
        const std::string explain = "EXPLAIN QUERY PLAN " + sql;
        sql::Query rows = database.query(explain.c_str());
        std::vector<std::string> plan;
        while (rows.next()) plan.push_back(rows[rows.columns<PlanColumns>().detail]);
        return plan;
    }
    // No slower than 1.3 times.
    void expect_alike(std::uint64_t first, std::uint64_t last)
    {
        EXPECT_GT(last, 0U);
        EXPECT_LE(last * 10, first * 13) << first << " steps, then " << last;
    }
};

TEST_F(PlansTest, PayNoMoreForALatePageOfSessionsThanForTheFirst)
{
    std::vector<Task<Result<Sessions::Created>>> tasks;
    for (int i = 0; i < 3000; ++i) {
        Session session = new_session(anas, std::to_string(i));
        session.archived = i % 2 == 0;
        tasks.push_back(sessions().create_session(session));
        tasks.push_back(sessions().create_session(new_session(bens)));
        if (tasks.size() == 500) block_on_all(std::exchange(tasks, {}));
    }
    for (const auto sort : {SessionFilter::Sort::activity, SessionFilter::Sort::created})
        for (const bool ascending : {false, true})
            for (const auto archived : {std::optional<bool>(), std::optional(true)}) {
                const SessionFilter filter{
                    .sort = sort, .ascending = ascending, .archived = archived};
                const auto page = [&](std::optional<Sessions::Position> after, std::size_t limit) {
                    return block_on(sessions().list_sessions(anas, filter, after, limit)).value();
                };
                const auto late = page({}, 1450).next;
                ASSERT_TRUE(late);
                const auto first_page = steps_of([&] { page({}, 20); });
                expect_alike(first_page, steps_of([&] { page(late, 20); }));
            }
}

TEST_F(PlansTest, PayNoMoreForALatePageOfABranchThanForTheFirst)
{
    const Session session = created(anas);
    for (int i = 0; i < 300; ++i) {
        const RunWithMessages whole = asked(session);
        if (i % 100 == 50) asked(session, Regenerate{whole.question.id});
    }
    for (const bool ascending : {true, false}) {
        const auto page = [&](std::optional<Messages::Position> after) {
            const auto got =
                block_on(messages().list_branch(anas, session.id, {}, ascending, after, 20))
                    .value();
            EXPECT_EQ(got.page.items.size(), 20U);
        };
        const auto first = steps_of([&] { page({}); });
        expect_alike(first, steps_of([&] { page(ascending ? 578 : 21); }));
        expect_alike(first, steps_of([&] { page(300); }));
    }
}

TEST_F(PlansTest, FindEverythingByAnIndex)
{
    const auto at_start = watched().watch.statements();  // Those of migrations read all rows.
    // Everything that can be asked of chats, once.
    const Session session = created(anas);
    NewRun wanted = new_run(session);
    wanted.key = claim("k");
    const RunWithMessages whole = begin(wanted).value().whole;
    ASSERT_TRUE(begin(wanted));
    ASSERT_TRUE(block_on(runs().start_run(whole.run.id, later())));
    EXPECT_FALSE(block_on(runs().unfinished_runs()).value().empty());
    ASSERT_TRUE(finish(whole));
    asked(session);
    asked(session, ReplyTo{whole.run.answer});
    asked(session, Regenerate{whole.question.id});
    ASSERT_TRUE(begin(first_run(anas)));
    found(whole);
    found(whole.question, anas);
    for (const auto sort : {SessionFilter::Sort::activity, SessionFilter::Sort::created})
        for (const bool ascending : {false, true})
            for (const auto archived : {std::optional<bool>(), std::optional(true)})
                ASSERT_TRUE(block_on(sessions().list_sessions(
                    anas, {.sort = sort, .ascending = ascending, .archived = archived}, {}, 2)));
    for (const bool ascending : {false, true})
        ASSERT_TRUE(block_on(messages().list_branch(anas, session.id, {}, ascending, {}, 2)));
    ASSERT_TRUE(block_on(runs().events(whole.run.id)));
    EXPECT_FALSE(block_on(runs().old_frames(whole.run.id, 0, 100)));
    for (const RunFilter& filter :
         {RunFilter{}, RunFilter{.status = RunStatus::completed}, RunFilter{.session = session.id},
          RunFilter{.status = RunStatus::failed, .session = session.id}})
        ASSERT_TRUE(block_on(runs().list_runs(anas, filter, {}, 2)));
    for (const UsageFilter& filter : {UsageFilter{}, UsageFilter{.user = ana.id, .model = "m"}})
        ASSERT_TRUE(block_on(store->usage().list(filter, {}, 2)));
    EXPECT_FALSE(block_on(runs().find_writing_run(anas, whole.run.answer)));
    EXPECT_FALSE(begin(new_run(session, ReplyTo{"msg_none"})));
    EXPECT_TRUE(block_on(runs().find_replay(anas, claim("k"))));
    EXPECT_TRUE(block_on(runs().find_replay(anas, claim("free"))));
    wanted = new_run(session, NewRoot{});
    wanted.key = claim("new");
    ASSERT_TRUE(begin(wanted));
    ASSERT_TRUE(block_on(runs().is_replay(anas, claim("k"))));
    ASSERT_TRUE(block_on(sessions().change_session(anas, session.id, {.archived = true})));
    ASSERT_TRUE(block_on(runs().sweep_runs(later(), later() + 48h, 10)));
    ASSERT_TRUE(block_on(runs().remove_run(anas, whole.run.id, later(), {})));
    ASSERT_TRUE(block_on(sessions().remove_session(anas, session.id)));

    const auto statements = watched().watch.statements();
    std::size_t explained = 0;
    for (const std::string& sql : statements) {
        if (!sql.starts_with("SELECT") && !sql.starts_with("UPDATE") &&
            !sql.starts_with("DELETE") && !sql.starts_with("INSERT"))
            continue;
        if (sql.find("sqlite_schema") != std::string::npos || at_start.contains(sql)) continue;
        // All runs that are unfinished: its index has no others.
        const bool wants_all = sql.find("completed_ms IS NULL ORDER BY runs") != std::string::npos;
        for (const std::string& line : plan_of(sql)) {
            ++explained;
            if (wants_all && line == "SCAN runs USING INDEX unfinished_runs") continue;
            if (wants_all && line == "USE TEMP B-TREE FOR ORDER BY") continue;
            EXPECT_EQ(line.find("SCAN"), std::string::npos) << line << "\n" << sql;
            EXPECT_EQ(line.find("TEMP B-TREE"), std::string::npos) << line << "\n" << sql;
        }
    }
    EXPECT_GT(explained, 40U);
}

TEST_F(PlansTest, RemoveWhatGoesWithSomethingByAnIndex)
{
    Database database(watched().file, Database::Access::write);
    sql::Query keys = database.query(
        R"(SELECT m.name, k."from" FROM sqlite_schema AS m, pragma_foreign_key_list(m.name) AS k)"
        " WHERE m.type = 'table'");
    int count = 0;
    for (; keys.next(); ++count) {
        const auto& at = keys.columns<ForeignKeyColumns>();
        const std::string sql =
            "SELECT 1 FROM " + keys[at.table] + " WHERE " + keys[at.column] + " = 'x'";
        for (const std::string& line : plan_of(sql))
            EXPECT_TRUE(line.starts_with("SEARCH")) << line << "\n" << sql;
    }
    EXPECT_GE(count, 8);
}

}  // namespace
}  // namespace parley::store::sqlite

#include "cluster/postgres/postgres_cluster.hpp"

#include "cluster/postgres/fence.hpp"
#include "cluster/postgres/replicas.hpp"
#include "journal/postgres/database_for_tests.hpp"
#include "store/postgres/patience_for_tests.hpp"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace parley::cluster::postgres {
namespace {

using namespace std::chrono_literals;
using journal::postgres::TestDatabase;
using store::postgres::comes_true;
using store::postgres::Failure;
using store::postgres::Link;

const auto* const needs_postgres =
    testing::AddGlobalTestEnvironment(new journal::postgres::NeedsPostgres);

// Remembers what a server hears; can hold up its pulse, as if the process had been stopped.
class Ear {
public:
    void listen_to(PostgresCluster& cluster)
    {
        cluster.listen({.heard =
                            [this](const Heard& heard) {
                                std::unique_lock lock(mutex_);
                                all_.push_back(heard);
                                changed_.notify_all();
                                changed_.wait(lock, [this] { return !is_stopped_; });
                            },
                        .fenced =
                            [this] {
                                const std::lock_guard lock(mutex_);
                                ++fenced_;
                                changed_.notify_all();
                            }});
    }
    bool wait_for(const std::function<bool(const Heard&)>& wanted)
    {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 20s, [&] { return std::ranges::any_of(all_, wanted); });
    }
    // That the rights of this user have changed.
    bool hears_of(const std::string& user)
    {
        return wait_for([&user](const Heard& heard) {
            return std::ranges::find(heard.rights, user) != heard.rights.end();
        });
    }
    void forget()
    {
        const std::lock_guard lock(mutex_);
        all_.clear();
    }
    std::vector<std::string> rights()
    {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> rights;
        for (const Heard& heard : all_)
            rights.insert(rights.end(), heard.rights.begin(), heard.rights.end());
        return rights;
    }
    bool wait_until_fenced()
    {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 20s, [&] { return fenced_ > 0; });
    }
    void stop_pulse(bool stopped)
    {
        const std::lock_guard lock(mutex_);
        is_stopped_ = stopped;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Heard> all_;
    int fenced_ = 0;
    bool is_stopped_ = false;
};

class PostgresClusterTest : public testing::Test {
protected:
    std::unique_ptr<PostgresCluster> joined(
        std::chrono::milliseconds lease = 1min, std::optional<std::int64_t> predecessor = {},
        std::string name = "test",
        std::shared_ptr<store::postgres::ConnectionName> connection_name = nullptr)
    {
        if (!connection_name) connection_name = std::make_shared<store::postgres::ConnectionName>();
        auto cluster = PostgresCluster::join({.database = database.options(),
                                              .connection_name = std::move(connection_name),
                                              .name = std::move(name),
                                              .version = "0",
                                              .settings = "limits.chat=30",
                                              .predecessor = predecessor,
                                              .between_pulses = 20ms,
                                              .lease = lease});
        EXPECT_TRUE(cluster) << cluster.error().message;
        return std::move(*cluster);
    }
    bool is_fenced(std::int64_t incarnation)
    {
        return database.link.text("SELECT fenced FROM replicas WHERE incarnation = " +
                                  std::to_string(incarnation)) == "t";
    }
    bool wait_until(const std::function<bool()>& wanted)
    {
        for (const auto end = std::chrono::steady_clock::now() + 20s;
             std::chrono::steady_clock::now() < end; std::this_thread::sleep_for(5ms))
            if (wanted()) return true;
        return false;
    }
    // But for that of the test.
    void end_connections()
    {
        database.link.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }
    void tell(const std::string& kind, const std::string& subject)
    {
        database.link.execute("INSERT INTO heard SELECT coalesce(max(number), 0) + 1, '" + kind +
                              "', '" + subject + "' FROM heard");
    }

    TestDatabase database;
};

TEST_F(PostgresClusterTest, EachServerHasItsOwnIncarnation)
{
    const auto first = joined();
    const auto second = joined();
    EXPECT_GT(first->me(), 0);
    EXPECT_GT(second->me(), first->me());
    EXPECT_TRUE(wait_until([&] { return first->members() == 2; }));
    EXPECT_TRUE(first->is_fresh());
    EXPECT_FALSE(first->is_alone());
}

// Commits that are not synced may be lost, and the next server would get the same number.
TEST_F(PostgresClusterTest, ItsIncarnationOutlivesACrashOfPostgres)
{
    database.link.execute(
        "CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN IF TG_OP = ''INSERT'' THEN"
        " NEW.settings := current_setting(''synchronous_commit''); ELSE"
        " NEW.version := current_setting(''synchronous_commit''); END IF; RETURN NEW; END'");
    database.link.execute(
        "CREATE TRIGGER note_commit BEFORE INSERT OR UPDATE ON replicas FOR EACH ROW"
        " EXECUTE FUNCTION note_commit()");
    const auto cluster = joined();
    EXPECT_EQ(database.link.text("SELECT settings FROM replicas"), "local");
    EXPECT_EQ(database.link.text("SELECT version FROM replicas"), "off") << "a beat may be lost";
    database.link.execute("DROP FUNCTION note_commit CASCADE");
}

TEST_F(PostgresClusterTest, HearsWhatWasToldSinceItJoined)
{
    tell("rights", "usr_before");
    const auto cluster = joined();
    Ear ear;
    ear.listen_to(*cluster);
    tell("rights", "usr_1");
    tell("session", "usr_1/ses_1");
    tell("runs", "usr_1/ses_3/run_1/run_2");
    tell("unknown", "x");
    tell("user", "usr_2");
    EXPECT_TRUE(ear.wait_for([](const Heard& heard) {
        return heard.sessions.size() == 1 && heard.sessions[0].user == "usr_1" &&
               heard.sessions[0].session == "ses_1";
    }));
    EXPECT_TRUE(ear.wait_for([](const Heard& heard) {
        return std::ranges::any_of(heard.runs, [](const DeletedRuns& each) {
            return each.user == "usr_1" && each.session == "ses_3" &&
                   each.active == std::vector<std::string>{"run_1", "run_2"};
        });
    }));
    EXPECT_TRUE(ear.wait_for(
        [](const Heard& heard) { return heard.users == std::vector<std::string>{"usr_2"}; }));
    cluster->listen({});
    EXPECT_EQ(ear.rights(), std::vector<std::string>{"usr_1"});
}

// The new primary does not have what was told last, and gives its numbers out again.
TEST_F(PostgresClusterTest, HearsWhatIsToldAfterAFailoverThatLostNews)
{
    tell("rights", "usr_before");
    const auto cluster = joined();
    Ear ear;
    ear.listen_to(*cluster);
    tell("rights", "usr_lost");
    EXPECT_TRUE(ear.hears_of("usr_lost"));
    database.link.execute("DELETE FROM heard WHERE number = 2");
    database.link.execute("INSERT INTO counters (name, value) VALUES ('heard', 1)");
    end_connections();
    tell("rights", "usr_next");  // Has number 2, too.
    EXPECT_TRUE(ear.hears_of("usr_next"));
    cluster->listen({});
}

// The same if nothing was told since: then the counter says it.
TEST_F(PostgresClusterTest, HearsWhatIsToldAfterItIsBackFromSuchAFailover)
{
    const auto cluster = joined();
    Ear ear;
    ear.listen_to(*cluster);
    tell("rights", "usr_lost");
    EXPECT_TRUE(ear.hears_of("usr_lost"));
    database.link.execute("DELETE FROM heard");
    ear.forget();
    end_connections();
    EXPECT_TRUE(ear.wait_for([](const Heard& heard) { return heard.may_lack_logs; }));
    tell("rights", "usr_next");
    EXPECT_TRUE(ear.hears_of("usr_next"));
    cluster->listen({});
}

TEST_F(PostgresClusterTest, HearsOfItsOwnCancelledRunsAndOfOrphans)
{
    const auto cluster = joined();
    const auto other = joined();
    database.add_run("mine", cluster->me());
    database.add_run("theirs", other->me());
    Ear ear;
    ear.listen_to(*cluster);
    database.link.execute("UPDATE runs SET cancel_asked = 1");
    EXPECT_TRUE(ear.wait_for(
        [](const Heard& heard) { return heard.cancelled == std::vector<std::string>{"mine"}; }));
    EXPECT_FALSE(is_fenced(other->me()));
    other->leave();
    EXPECT_TRUE(is_fenced(other->me()));
    EXPECT_TRUE(ear.wait_for([](const Heard& heard) { return heard.has_orphans; }));
    cluster->listen({});
}

TEST_F(PostgresClusterTest, HearsHowManyRunsWait)
{
    const auto cluster = joined();
    const std::int64_t dead = database.add_replica();
    for (const char* id : {"real", "test", "scripted", "dying", "running", "cancelled"})
        database.add_run(id, dead);
    database.link.execute("UPDATE runs SET owner = 1 WHERE id = 'test'");
    database.link.execute("UPDATE runs SET model = 'scripted' WHERE id = 'scripted'");
    database.link.execute("UPDATE runs SET status = 'queued' WHERE id <> 'running'");
    database.link.execute("UPDATE runs SET replica = NULL WHERE id NOT IN ('dying', 'running')");
    database.link.execute("UPDATE runs SET cancel_asked = 1 WHERE id = 'cancelled'");
    Ear ear;
    ear.listen_to(*cluster);
    const auto hears = [](std::size_t all) {
        return [all](const Heard& heard) {
            return heard.waiting == all && heard.waiting_scripted == 2 && heard.has_orphans;
        };
    };
    EXPECT_TRUE(ear.wait_for(hears(3)));
    database.link.execute("UPDATE replicas SET fenced = true WHERE incarnation = " +
                          std::to_string(dead));
    EXPECT_TRUE(ear.wait_for(hears(4)));
    cluster->listen({});
}

TEST_F(PostgresClusterTest, ServersTellEachOtherOfGrownLogs)
{
    const auto first = joined();
    const auto second = joined();
    EXPECT_TRUE(wait_until([&] { return first->is_first(); }));
    EXPECT_FALSE(second->is_first());
    Ear ear;
    ear.listen_to(*second);
    first->tell_others({"usr_1", "usr_2", "usr_1", "no'good"});
    using Names = std::vector<std::string>;
    EXPECT_TRUE(
        ear.wait_for([](const Heard& heard) { return heard.logs == Names{"usr_1", "usr_2"}; }));
    first->tell_others({"usr_3"});
    EXPECT_TRUE(ear.wait_for([](const Heard& heard) { return heard.logs == Names{"usr_3"}; }));
    first->leave();
    EXPECT_TRUE(wait_until([&] { return second->is_first(); }));
    second->listen({});
}

// It may not have told all that it has stored.
TEST_F(PostgresClusterTest, LogsMayHaveGrownUnheardWhenAServerIsGone)
{
    const auto lacks = [](const Heard& heard) { return heard.may_lack_logs; };
    const auto staying = joined();
    const auto leaving = joined();
    EXPECT_TRUE(wait_until([&] { return staying->members() == 2; }));
    Ear ear;
    ear.listen_to(*staying);
    EXPECT_TRUE(ear.wait_for([](const Heard& heard) { return !heard.may_lack_logs; }));
    ear.forget();
    leaving->leave();
    EXPECT_TRUE(ear.wait_for(lacks));
    ear.forget();
    EXPECT_TRUE(ear.wait_for([](const Heard& heard) { return !heard.may_lack_logs; })) << "once";
    end_connections();
    EXPECT_TRUE(ear.wait_for(lacks)) << "PostgreSQL may have lost what it was told";
    staying->listen({});
}

TEST_F(PostgresClusterTest, ThePredecessorIsFencedAtOnceIfItHadTheSameName)
{
    const std::int64_t dead = database.add_replica();
    const auto stranger = joined(1min, dead, "another");
    EXPECT_FALSE(is_fenced(dead));
    const auto successor = joined(1min, dead);
    EXPECT_TRUE(is_fenced(dead));
    const auto unknown = joined(1min, 999'999);
    EXPECT_GT(unknown->me(), successor->me());
}

TEST_F(PostgresClusterTest, AServerThatShutsDownIsNotTheFirst)
{
    const auto first = joined();
    const auto second = joined();
    EXPECT_TRUE(wait_until([&] { return first->is_first(); }));
    first->drain();
    EXPECT_FALSE(first->is_first());
    EXPECT_TRUE(wait_until([&] { return second->is_first(); }));
    EXPECT_FALSE(first->is_first());
    second->drain();
    EXPECT_FALSE(second->is_first());
}

TEST_F(PostgresClusterTest, ServersAreListedForPeople)
{
    const auto first = joined();
    const auto second = joined();
    first->listen({.count_runs = [] { return std::size_t{3}; }});
    second->leave();
    const auto listed = [&] { return list_replicas(database.options()).value(); };
    EXPECT_TRUE(wait_until([&] { return listed().front().running == 3; }));
    const auto replicas = listed();
    ASSERT_EQ(replicas.size(), 2U);
    EXPECT_EQ(replicas[0].incarnation, first->me());
    EXPECT_EQ(replicas[0].name, "test");
    EXPECT_EQ(replicas[0].settings, "limits.chat=30");
    EXPECT_LT(replicas[0].beat_age, 10s);
    EXPECT_FALSE(replicas[0].fenced);
    EXPECT_TRUE(replicas[1].fenced);
    database.link.execute("UPDATE replicas SET beat_at = beat_at - interval '2 hours'");
    EXPECT_EQ(listed().size(), 1U);
    const auto room = measure_room(database.options()).value();
    EXPECT_GT(room.connections, 100);
    EXPECT_LT(std::chrono::abs(room.clock_offset), 5s);
    first->listen({});
}

TEST_F(PostgresClusterTest, AStoppedServerIsFencedAndGoesOnAsAnother)
{
    const auto living = joined(5s);
    const auto stopped = joined(5s);
    const std::int64_t before = stopped->me();
    Ear ear;
    ear.listen_to(*stopped);
    ear.stop_pulse(true);
    EXPECT_TRUE(wait_until([&] { return is_fenced(before); }));
    EXPECT_FALSE(stopped->is_fresh());
    EXPECT_FALSE(is_fenced(living->me()));
    ear.stop_pulse(false);
    EXPECT_TRUE(ear.wait_until_fenced());
    EXPECT_TRUE(wait_until([&] { return stopped->me() > before; }));
    EXPECT_TRUE(wait_until([&] { return stopped->is_fresh(); }));
    EXPECT_FALSE(is_fenced(stopped->me()));
    EXPECT_EQ(stopped->times_fenced(), 1U);
    EXPECT_EQ(living->times_fenced(), 0U);
    stopped->listen({});
}

TEST_F(PostgresClusterTest, AServerThatMayNotKnowItsRunsGoesOnAsAnother)
{
    const auto name = std::make_shared<store::postgres::ConnectionName>();
    const auto cluster = joined(1min, {}, "test", name);
    const std::int64_t before = cluster->me();
    Ear ear;
    ear.listen_to(*cluster);
    Link owner(database.options(), [] { return false; });
    owner.execute("BEGIN");  // A change that goes on.
    owner.execute("SELECT 1 FROM replicas WHERE incarnation = " + std::to_string(before) +
                  " FOR KEY SHARE");
    name->note_unknown_outcome();
    std::this_thread::sleep_for(1500ms);  // More than it waits for the lock.
    EXPECT_FALSE(is_fenced(before));
    owner.execute("COMMIT");
    EXPECT_TRUE(ear.wait_until_fenced());
    EXPECT_TRUE(wait_until([&] { return cluster->me() > before && cluster->is_fresh(); }));
    EXPECT_TRUE(is_fenced(before));
    EXPECT_FALSE(name->is_doubtful());
    EXPECT_EQ(cluster->times_fenced(), 1U);
    cluster->listen({});
}

TEST_F(PostgresClusterTest, AServerThatBeatsIsNotFenced)
{
    const std::int64_t replica = database.add_replica();
    EXPECT_FALSE(fence(database.link, replica, 1min));
    EXPECT_FALSE(is_fenced(replica));
    EXPECT_TRUE(fence(database.link, replica, 0ms));
    EXPECT_TRUE(fence(database.link, replica, 0ms));
    EXPECT_TRUE(is_fenced(replica));
}

// A process that was stopped within a transaction must not keep its runs.
TEST_F(PostgresClusterTest, FencingEndsTheConnectionsThatHoldTheLease)
{
    const std::int64_t replica = database.add_replica();
    const auto name = std::make_shared<store::postgres::ConnectionName>();
    name->set(connection_name(database.link, replica));
    auto options = database.options();
    options.name = name;
    Link owner(options, [] { return false; });
    owner.execute("BEGIN");
    owner.execute("SELECT 1 FROM replicas WHERE incarnation = " + std::to_string(replica) +
                  " FOR KEY SHARE");
    EXPECT_TRUE(comes_true([&] { return fence(database.link, replica, 0ms); }));
    EXPECT_THROW(owner.execute("COMMIT"), Failure);
}

TEST_F(PostgresClusterTest, FencingWaitsForNoLockForever)
{
    const std::int64_t replica = database.add_replica();
    Link owner(database.options(), [] { return false; });  // Under a name of others.
    owner.execute("BEGIN");
    owner.execute("SELECT 1 FROM replicas WHERE incarnation = " + std::to_string(replica) +
                  " FOR KEY SHARE");
    EXPECT_FALSE(fence(database.link, replica, 0ms));
    owner.execute("COMMIT");
    EXPECT_TRUE(comes_true([&] { return fence(database.link, replica, 0ms); }));
}

}  // namespace
}  // namespace parley::cluster::postgres

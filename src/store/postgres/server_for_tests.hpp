// A PostgreSQL server for one test program (tools/postgres), and databases on it.
#pragma once

#include "store/postgres/schema.hpp"
#include "store/sql/schema.hpp"
#include "store/sqlite/directory_for_tests.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace parley::store::postgres {

class TestServer {
public:
    // Started at the first call, stopped at the end of the program.
    static TestServer& instance()
    {
        static TestServer server;
        return server;
    }

    ~TestServer()
    {
        if (!url_.empty()) run("stop");
    }
    TestServer(const TestServer&) = delete;
    TestServer& operator=(const TestServer&) = delete;

    bool is_there() const { return !url_.empty(); }
    std::string start() { return run("start"); }
    void stop() { run("stop"); }
    // As a crash of the machine would end it, but for its disk.
    void kill() { run("kill"); }

    // A new, empty place for the tables of one test.
    std::string new_url()
    {
        const std::string schema = "test_" + std::to_string(++schemas_);
        Link(Options{.url = url_}, [] { return false; }).execute("CREATE SCHEMA " + schema);
        return url_ + "&options=-csearch_path%3D" + schema;
    }

    // The same with the newest tables, which are empty. They are used again after give_back():
    // creating them takes most of the time of a test.
    std::string take_tables()
    {
        if (unused_.empty()) {
            const std::string url = new_url();
            Link link({.url = url}, [] { return false; });
            create_schema_up_to(link, sql::newest_version());
            return url;
        }
        const std::string url = unused_.back();
        unused_.pop_back();
        Link link({.url = url}, [] { return false; });
        // TRUNCATE would make new files for all tables and indexes.
        link.execute(
            "DO 'DECLARE name text; BEGIN"
            " FOR name IN SELECT relname FROM pg_class WHERE relkind = ''r'' AND relname <>"
            " ''schema_state'' AND relnamespace = current_schema()::regnamespace"
            " LOOP EXECUTE ''DELETE FROM '' || name; END LOOP; END'");
        return url;
    }
    void give_back(const std::string& url) { unused_.push_back(url); }

private:
    TestServer() : url_(start()) { (void)load_library(); }

    std::string run(const std::string& verb)
    {
        const std::string command = PARLEY_TOOLS "/postgres " + verb + " " +
                                    directory_.path().string() + " " + std::to_string(getpid());
        std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
        std::array<char, 1024> line{};
        if (!pipe || !fgets(line.data(), line.size(), pipe.get())) return {};
        std::string text(line.data());
        text.pop_back();
        return text;
    }

    sqlite::TestDirectory directory_;
    int schemas_ = 0;
    std::vector<std::string> unused_;
    std::string url_;
};

// The row of a server that shares the database; gives its number.
inline std::int64_t add_replica(Link& link)
{
    return std::stoll(
        link.text("INSERT INTO replicas (incarnation, name, version)"
                  " VALUES (nextval('incarnations'), 'test', '0') RETURNING incarnation"));
}
inline void fence_replica(Link& link, std::int64_t replica)
{
    link.execute("UPDATE replicas SET fenced = true WHERE incarnation = " +
                 std::to_string(replica));
}

}  // namespace parley::store::postgres

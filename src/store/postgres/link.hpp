// One connection to a PostgreSQL server, in libpq's pipeline mode: commands are queued and cost one
// round trip together.
//
// Failures are thrown (failure.hpp). A wait for the server ends with connection_lost as soon as
// `give_up` returns true; it is called about ten times a second. After a failure for which
// is_lost() is true, the link can only be destroyed. After any other one it can be used again, and
// the transaction can only be rolled back.
//
// Threads: belongs to one thread at a time, which may wait for the server.
#pragma once

#include "store/postgres/failure.hpp"
#include "store/postgres/library.hpp"
#include "store/postgres/options.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace parley::store::postgres {

struct ClearResult {
    void operator()(PGresult* result) const { libpq().PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, ClearResult>;

class Link {
public:
    using GiveUp = std::function<bool()>;
    // Gets the answer to a command together with later ones; null until then.
    using Place = std::shared_ptr<ResultPtr>;

    Link(const Options& options, GiveUp give_up);
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    // A statement without parameters.
    void send(const std::string& sql);
    void send_prepare(const std::string& name, const std::string& sql, std::span<const Oid> types);
    // Parameters and results are binary. A null pointer is NULL.
    void send_prepared(const std::string& name, std::span<const char* const> values,
                       std::span<const int> sizes, Place wanted = nullptr);

    // Sends the queued commands and waits for their answers; returns the last one, unless it has a
    // place. Throws the first failure.
    ResultPtr answer();
    // The same at the end of a transaction, or outside of one.
    ResultPtr end();
    // The same without waiting: take_end() must be called before the next command.
    void send_end();
    void take_end();
    // Takes the answers that have come meanwhile, and ignores failures of statements. True if the
    // end was among them.
    bool take_end_if_there();

    // For seldom used statements: runs one at once.
    ResultPtr execute(const std::string& sql);
    // The first column of the first row, as text; empty if there is none.
    std::string text(const std::string& sql);

    // The server has ended the connection since the last answer. Asks nothing.
    bool has_ended();

    // Fails if `give_up` returns true: for loops whose statements are all answered.
    void check_patience() const;

    // Takes over a changed Options::name. Not within a transaction.
    void follow_name();

    int server_version() const { return libpq().PQserverVersion(get()); }
    int process() const { return libpq().PQbackendPID(get()); }
    // How many the server has sent.
    int warnings() const { return warnings_; }
    // How often answers were waited for.
    std::uint64_t round_trips() const { return round_trips_; }

private:
    struct Finish {
        void operator()(PGconn* connection) const { libpq().PQfinish(connection); }
    };

    PGconn* get() const { return connection_.get(); }
    static void count_warning(void* link, const PGresult* notice);
    void connect(const Options& options, const HostOrder::Attempt& hosts);
    void set_up();
    void queued(int accepted, Place wanted = nullptr);
    void wait_for(short events);
    void flush();
    ResultPtr next_result();
    ResultPtr take_answers();
    ResultPtr take_last_answer();
    void skip_to_sync();
    [[noreturn]] void fail_lost();

    GiveUp give_up_;
    std::shared_ptr<const ConnectionName> name_;
    std::uint64_t name_version_ = 0;
    std::unique_ptr<PGconn, Finish> connection_;
    std::deque<Place> waiting_;  // Of the commands that have no answer yet; null if not wanted.
    bool is_synced_ = false;     // The end was sent, and not yet answered.
    int warnings_ = 0;
    std::uint64_t round_trips_ = 0;
};

}  // namespace parley::store::postgres

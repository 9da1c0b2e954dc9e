#include "store/postgres/link.hpp"

#include <array>
#include <poll.h>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::store::postgres {
namespace {

constexpr int ms_between_looks = 100;
constexpr int binary = 1;

std::string without_newline(const char* message)
{
    std::string text = message ? message : "";
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

Failure failure_of(const PGresult& result)
{
    const auto field = [&](int code) { return libpq().PQresultErrorField(&result, code); };
    const char* state = field(PG_DIAG_SQLSTATE);
    const char* message = field(PG_DIAG_MESSAGE_PRIMARY);
    return {state ? std::string_view(state) : connection_lost,
            message ? message : "the connection was lost"};
}

}  // namespace

Link::Link(const Options& options, GiveUp give_up)
    : give_up_(std::move(give_up)), name_(options.name)
{
    const HostOrder::Attempt hosts = options.hosts->next_attempt(options.url);
    try {
        connect(options, hosts);
        set_up();
    } catch (const Failure&) {
        options.hosts->failed(hosts);
        throw;
    }
}

void Link::connect(const Options& options, const HostOrder::Attempt& hosts)
{
    std::vector<const char*> names;
    std::vector<const char*> values;
    const auto set = [&](const char* name, const char* value) {
        names.push_back(name);
        values.push_back(value);
    };
    // Defaults first: the URL may replace them.
    set("application_name", "parley");
    set("target_session_attrs", "read-write");
    set("tcp_user_timeout", "2000");
    set("keepalives_idle", "5");
    set("keepalives_interval", "2");  // That a probe has no answer is noticed with the next one.
    set("dbname", options.url.c_str());
    if (!hosts.host.empty()) set("host", hosts.host.c_str());
    if (!hosts.hostaddr.empty()) set("hostaddr", hosts.hostaddr.c_str());
    if (!hosts.port.empty()) set("port", hosts.port.c_str());
    if (name_) name_version_ = name_->version();
    const std::string name = name_ ? name_->text() : std::string();
    if (!name.empty()) set("application_name", name.c_str());
    std::string password;
    if (options.password) {
        password = options.password->reveal();
        set("password", password.c_str());
    }
    names.push_back(nullptr);
    values.push_back(nullptr);
    connection_.reset(libpq().PQconnectStartParams(names.data(), values.data(), 1));
    [[maybe_unused]] const Secret erased = Secret::taken_from(password);
    if (!connection_ || libpq().PQstatus(get()) == CONNECTION_BAD) fail_lost();
    libpq().PQsetNoticeReceiver(get(), count_warning, this);
    for (auto status = PGRES_POLLING_WRITING; status != PGRES_POLLING_OK;) {
        wait_for(status == PGRES_POLLING_READING ? POLLIN : POLLOUT);
        status = libpq().PQconnectPoll(get());
        if (status == PGRES_POLLING_FAILED) fail_lost();
    }
}

// The name of the severity that is the same in all languages.
void Link::count_warning(void* link, const PGresult* notice)
{
    const char* severity = libpq().PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity && std::string_view(severity) == "WARNING") ++static_cast<Link*>(link)->warnings_;
}

void Link::set_up()
{
    if (libpq().PQsetnonblocking(get(), 1) != 0 || libpq().PQenterPipelineMode(get()) != 1)
        fail_lost();
    // A 2xx response promises that data is synced, so weaker defaults of the server do not count.
    execute(
        "SELECT set_config('synchronous_commit', 'on', false)"
        " WHERE current_setting('synchronous_commit') IN ('off', 'local')");
    // If Parley is stopped or cut off, PostgreSQL must not hold its locks for long.
    execute(
        "SELECT set_config('idle_in_transaction_session_timeout', '60s', false),"
        // A COMMIT whose wait for the standby was ended says so by a warning alone.
        " set_config('client_min_messages', 'warning', false),"
        " set_config('tcp_keepalives_idle', '5', false),"
        " set_config('tcp_keepalives_interval', '2', false),"
        " set_config('tcp_keepalives_count', '3', false), set_config('jit', 'off', false)");
    // A plan is kept while its table grows: one that was made for an almost empty table must not
    // read all rows. A sequential scan remains possible if there is no index for a statement.
    execute("SET enable_seqscan = off");
}

void Link::fail_lost()
{
    throw Failure(connection_lost,
                  connection_ ? without_newline(libpq().PQerrorMessage(get())) : "no memory");
}

void Link::queued(int accepted, Place wanted)
{
    if (accepted != 1) fail_lost();
    waiting_.push_back(std::move(wanted));
}

void Link::send(const std::string& sql)
{
    queued(libpq().PQsendQueryParams(get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0));
}

void Link::send_prepare(const std::string& name, const std::string& sql, std::span<const Oid> types)
{
    queued(libpq().PQsendPrepare(get(), name.c_str(), sql.c_str(), static_cast<int>(types.size()),
                                 types.data()));
}

void Link::send_prepared(const std::string& name, std::span<const char* const> values,
                         std::span<const int> sizes, Place wanted)
{
    const std::vector<int> formats(values.size(), binary);
    queued(libpq().PQsendQueryPrepared(get(), name.c_str(), static_cast<int>(values.size()),
                                       values.data(), sizes.data(), formats.data(), binary),
           std::move(wanted));
}

void Link::wait_for(short events)
{
    for (;;) {
        pollfd wanted{.fd = libpq().PQsocket(get()), .events = events, .revents = 0};
        if (wanted.fd < 0) fail_lost();
        if (poll(&wanted, 1, ms_between_looks) > 0) return;
        if (give_up_()) throw Failure(connection_lost, "the server does not answer");
    }
}

// A server that is alive may tell changed settings.
bool Link::has_ended()
{
    for (;;) {
        pollfd wanted{.fd = libpq().PQsocket(get()), .events = POLLIN, .revents = 0};
        if (wanted.fd < 0) return true;
        if (poll(&wanted, 1, 0) <= 0) return false;
        if (libpq().PQconsumeInput(get()) != 1) return true;
    }
}

void Link::check_patience() const
{
    if (give_up_()) throw Failure(connection_lost, "it takes too long");
}

void Link::flush()
{
    for (;;) {
        const int rest = libpq().PQflush(get());
        if (rest < 0) fail_lost();
        if (rest == 0) return;
        wait_for(POLLIN | POLLOUT);
        if (libpq().PQconsumeInput(get()) != 1) fail_lost();
    }
}

ResultPtr Link::next_result()
{
    while (libpq().PQisBusy(get()) != 0) {
        wait_for(POLLIN);
        if (libpq().PQconsumeInput(get()) != 1) fail_lost();
    }
    return ResultPtr(libpq().PQgetResult(get()));
}

ResultPtr Link::take_answers()
{
    ResultPtr last;
    for (; !waiting_.empty(); waiting_.pop_front()) {
        last = next_result();
        if (!last) fail_lost();
        const auto status = libpq().PQresultStatus(last.get());
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) throw failure_of(*last);
        if (const Place& wanted = waiting_.front()) *wanted = std::move(last);
        next_result();  // Nothing: the end of this answer.
    }
    return last;
}

void Link::skip_to_sync()
{
    if (!is_synced_ && libpq().PQpipelineSync(get()) != 1) fail_lost();
    flush();
    for (;;) {
        const ResultPtr result = next_result();
        if (result && libpq().PQresultStatus(result.get()) == PGRES_PIPELINE_SYNC) break;
        if (libpq().PQstatus(get()) == CONNECTION_BAD) fail_lost();
    }
    waiting_.clear();
    is_synced_ = false;
}

ResultPtr Link::answer()
{
    ++round_trips_;
    if (libpq().PQsendFlushRequest(get()) != 1) fail_lost();
    flush();
    try {
        return take_answers();
    } catch (const Failure& failure) {
        if (!failure.is_lost()) skip_to_sync();
        throw;
    }
}

void Link::send_end()
{
    if (libpq().PQpipelineSync(get()) != 1) fail_lost();
    is_synced_ = true;
    flush();
}

void Link::take_end()
{
    if (is_synced_) take_last_answer();
}

bool Link::take_end_if_there()
{
    if (libpq().PQconsumeInput(get()) != 1) fail_lost();
    while (is_synced_ && libpq().PQisBusy(get()) == 0) {
        const ResultPtr result(libpq().PQgetResult(get()));
        if (!result && libpq().PQstatus(get()) == CONNECTION_BAD) fail_lost();
        if (!result || libpq().PQresultStatus(result.get()) != PGRES_PIPELINE_SYNC) continue;
        waiting_.clear();
        is_synced_ = false;
    }
    return !is_synced_;
}

ResultPtr Link::end()
{
    ++round_trips_;
    send_end();
    return take_last_answer();
}

ResultPtr Link::take_last_answer()
{
    try {
        ResultPtr last = take_answers();
        skip_to_sync();
        return last;
    } catch (const Failure& failure) {
        if (!failure.is_lost()) skip_to_sync();
        throw;
    }
}

void Link::follow_name()
{
    if (!name_ || name_->version() == name_version_) return;
    take_end();
    const std::uint64_t version = name_->version();
    // It consists of letters, digits and slashes.
    execute("SET application_name = '" + name_->text() + "'");
    name_version_ = version;
}

ResultPtr Link::execute(const std::string& sql)
{
    send(sql);
    return end();
}

std::string Link::text(const std::string& sql)
{
    const ResultPtr result = execute(sql);
    if (libpq().PQntuples(result.get()) == 0) return {};
    return libpq().PQgetvalue(result.get(), 0, 0);
}

}  // namespace parley::store::postgres

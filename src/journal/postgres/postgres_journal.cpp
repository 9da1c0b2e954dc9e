#include "journal/postgres/postgres_journal.hpp"

#include "journal/append_check.hpp"
#include "journal/postgres/statements.hpp"
#include "store/postgres/failure.hpp"

#include <utility>

namespace parley::journal::postgres {
namespace {

using std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;
using store::postgres::Failure;
using store::postgres::ResultPtr;
using store::postgres::to_network_order;

// The maximum number of events in a page.
constexpr std::size_t max_page = 1024;
constexpr std::size_t longest_name = 40;
// A read that was given up ends a moment later in PostgreSQL, too.
constexpr milliseconds time_after_patience{500};

Task<Result<>> failed(Error error) { co_return error; }

std::string in_network_order(std::size_t value)
{
    return to_network_order(static_cast<std::int64_t>(value));
}

}  // namespace

PostgresJournal::PostgresJournal(Options options)
    : options_(std::move(options)), writer_(std::make_unique<Writer>(options_))
{
}

PostgresJournal::~PostgresJournal()
{
    is_closing_ = true;  // Waiting reads fail at once.
    reader_.join();
    writer_.reset();
}

Task<Result<>> PostgresJournal::append(std::string_view run, std::uint32_t first,
                                       std::span<const Frame> frames)
{
    if (run.empty() || run.size() > longest_name) return failed(bad_run_name(run));
    if (auto fits = check_frames(frames, options_.max_frame, options_.max_append); !fits)
        return failed(std::move(fits).error());
    RunEvents events{.run = std::string(run),
                     .first = first,
                     .frames = {frames.begin(), frames.end()},
                     .me = options_.me()};
    return await_callback<Result<>>(
        [this, events = std::move(events)](Completion<Result<>> answer) mutable {
            writer_->submit(Append(std::move(events), std::move(answer)));
        });
}

store::postgres::PreparedLink& PostgresJournal::connected()
{
    give_up_at_ = Steady::now() + options_.patience;
    if (!link_) {
        auto link = std::make_unique<store::postgres::PreparedLink>(
            options_.database, [this] { return is_closing_ || Steady::now() > give_up_at_; });
        link->link().execute("SET statement_timeout = " +
                             std::to_string((options_.patience + time_after_patience).count()));
        link_ = std::move(link);
    }
    link_->link().follow_name();
    return *link_;
}

// A second time if the connection was lost: it may have been ended alone. Reads that waited while a
// connection failed have waited long enough: each of them would try the same again.
template <class T, class Work>
Result<T> PostgresJournal::attempt(const Work& work, Steady::time_point asked_at)
{
    if (is_closing_ || asked_at < failed_at_)
        return store::postgres::unavailable_error("the database does not answer");
    for (const bool may_retry : {link_ != nullptr, false}) {
        try {
            return work();
        } catch (const Failure& failure) {
            if (failure.is_lost()) link_.reset();
            if (may_retry && failure.is_lost() && !is_closing_) continue;
            if (failure.is_lost()) failed_at_ = Steady::now();
            return store::postgres::to_error(failure);
        }
    }
    return store::postgres::unavailable_error();
}

template <class T, class Work>
Task<Result<T>> PostgresJournal::on_reader(Work work)
{
    if (++reads_ > options_.max_reads) {
        --reads_;
        co_return Error{Errc::overloaded, "Too many readers wait for events."};
    }
    const auto asked_at = Steady::now();
    co_return co_await offload(reader_, [this, asked_at, work = std::move(work)]() -> Result<T> {
        auto result = attempt<T>(work, asked_at);
        --reads_;
        return result;
    });
}

Task<Result<std::vector<Record>>> PostgresJournal::read(std::string_view run, std::uint32_t after,
                                                        std::size_t max_bytes)
{
    return on_reader<std::vector<Record>>([this, name = std::string(run), after, max_bytes] {
        return read_page(name, after, max_bytes);
    });
}

Result<std::vector<Record>> PostgresJournal::read_page(const std::string& run, std::uint32_t after,
                                                       std::size_t max_bytes)
{
    const ResultPtr rows = connected().run(
        read_statement,
        {run, to_network_order(after), in_network_order(max_bytes), in_network_order(max_page)});
    const int count = row_count(rows);
    std::vector<Record> records;
    records.reserve(count);
    for (int i = 0; i < count; ++i)
        records.push_back(
            {static_cast<std::uint32_t>(number_at(rows, i, 0)), std::string(bytes_at(rows, i, 1))});
    if (!records.empty()) return records;
    const auto known = read_state(run);
    if (!known) return known.error();
    if (!*known) return not_found("The run");
    return records;
}

Task<Result<std::vector<NewEvents>>> PostgresJournal::read_all(std::vector<Wanted> wanted,
                                                               std::size_t max_bytes)
{
    return on_reader<std::vector<NewEvents>>(
        [this, runs = std::move(wanted), max_bytes] { return read_pages(runs, max_bytes); });
}

Result<std::vector<NewEvents>> PostgresJournal::read_pages(const std::vector<Wanted>& wanted,
                                                           std::size_t max_bytes)
{
    std::vector<std::string_view> runs;
    std::vector<std::int64_t> numbers;
    std::vector<std::int64_t> epochs;
    for (const Wanted& each : wanted) {
        runs.push_back(each.run);
        numbers.push_back(each.after);
        epochs.push_back(each.epoch);
    }
    using store::postgres::array_of;
    const ResultPtr rows = connected().run(
        read_all_statement, {array_of(runs), array_of(numbers), in_network_order(max_bytes),
                             in_network_order(max_page), array_of(epochs)});
    std::vector<NewEvents> news;
    for (int i = 0; i < row_count(rows); ++i) {
        const auto of = static_cast<std::size_t>(number_at(rows, i, 0));
        if (news.empty() || news.back().of != of) news.push_back({.of = of});
        const auto number = static_cast<std::uint32_t>(number_at(rows, i, 1));
        if (!bytes_at(rows, i, 3).empty())
            news.back().epoch = {.number = number_at(rows, i, 3), .last = number};
        else if (number == 0)
            news.back().has_ended = true;
        else
            news.back().records.push_back({number, std::string(bytes_at(rows, i, 2))});
    }
    return news;
}

Task<Result<std::optional<RunState>>> PostgresJournal::state(std::string_view run)
{
    return on_reader<std::optional<RunState>>(
        [this, name = std::string(run)] { return read_state(name); });
}

Result<std::optional<RunState>> PostgresJournal::read_state(const std::string& run)
{
    const ResultPtr row = connected().run(state_statement, {run});
    const auto count = static_cast<std::uint32_t>(number_at(row, 0, 2));
    if (count == 0) return std::optional<RunState>();
    const auto first = static_cast<std::uint32_t>(number_at(row, 0, 0));
    const auto last = static_cast<std::uint32_t>(number_at(row, 0, 1));
    return std::optional(
        RunState{.first = first, .last = last, .whole = first == 1 && count == last});
}

}  // namespace parley::journal::postgres

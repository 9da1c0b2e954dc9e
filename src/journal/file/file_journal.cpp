#include "journal/file/file_journal.hpp"

#include "journal/append_check.hpp"
#include "journal/file/page.hpp"
#include "journal/file/recovery.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace parley::journal::file {
namespace {

// The maximum number of events in a page, so that finding them is always fast.
constexpr std::size_t max_page = 1024;

Options within_limits(Options options)
{
    options.segment_size = std::min(options.segment_size, std::uint64_t{1} << 30);
    options.max_frame = std::min(options.max_frame, max_frame_size);
    options.max_append = std::max(options.max_append, options.max_frame);
    return options;
}

Task<Result<>> failed(Error error) { co_return error; }

// Counts a read during its lifetime.
class CountedRead {
public:
    explicit CountedRead(std::atomic<std::size_t>& count) : count_(&count) { ++count; }
    CountedRead(CountedRead&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
    CountedRead& operator=(CountedRead&&) = delete;
    ~CountedRead()
    {
        if (count_) --*count_;
    }

private:
    std::atomic<std::size_t>* count_;
};

}  // namespace

Result<std::unique_ptr<FileJournal>> FileJournal::open(std::filesystem::path path, Options options)
{
    auto folder = Folder::open(std::move(path));
    if (!folder) return folder.error();
    std::unique_ptr<FileJournal> journal(
        new FileJournal(std::move(*folder), within_limits(options)));
    auto recovered = recover(journal->folder_, journal->index_);
    if (!recovered) return recovered.error();
    journal->writer_.emplace(journal->folder_, journal->index_, journal->options_,
                             std::move(*recovered));
    return journal;
}

FileJournal::FileJournal(Folder folder, Options options)
    : folder_(std::move(folder)), options_(options)
{
}

FileJournal::~FileJournal()
{
    reader_.join();
    writer_.reset();
}

Task<Result<>> FileJournal::append(std::string_view run, std::uint32_t first,
                                   std::span<const Frame> frames)
{
    const auto name = RunName::from(run);
    if (!name) return failed(bad_run_name(run));
    if (auto fits = check_frames(frames, options_.max_frame, options_.max_append); !fits)
        return failed(std::move(fits).error());
    return submit(*name, first, Frames(frames.begin(), frames.end()));
}

Task<Result<>> FileJournal::submit(RunName run, std::uint32_t first, Frames frames)
{
    const Executor loop = co_await boost::asio::this_coro::executor;
    co_return co_await await_callback<Result<>>(
        [this, run, first, frames = std::move(frames), loop](Completion<Result<>> answer) mutable {
            writer_->submit({run, first, std::move(frames), loop, std::move(answer)});
        });
}

Task<Result<std::vector<Record>>> FileJournal::read(std::string_view run, std::uint32_t after,
                                                    std::size_t max_bytes)
{
    return read_run(RunName::from(run), after, max_bytes);
}

Task<Result<std::vector<Record>>> FileJournal::read_run(std::optional<RunName> run,
                                                        std::uint32_t after, std::size_t max_bytes)
{
    if (!run) co_return not_found("The run");
    CountedRead counted(reads_);
    if (reads_ > options_.max_reads)
        co_return Error{Errc::overloaded, "Too many readers wait for events."};
    co_return co_await offload(reader_,
                               [this, run = *run, after, max_bytes,
                                counted = std::move(counted)]() -> Result<std::vector<Record>> {
                                   const auto locations = index_.find(run, after, max_page);
                                   if (!locations) return not_found("The run");
                                   return read_page(run, *locations, max_bytes);
                               });
}

Task<Result<std::vector<NewEvents>>> FileJournal::read_all(std::vector<Wanted> wanted,
                                                           std::size_t max_bytes)
{
    std::vector<NewEvents> news;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        auto page = co_await read(wanted[i].run, wanted[i].after, max_bytes);
        if (!page && page.error().code != Errc::not_found) co_return page.error();
        if (!page)
            news.push_back({.of = i, .has_ended = true});
        else if (!page->empty())
            news.push_back({.of = i, .records = std::move(*page)});
    }
    co_return news;
}

Task<Result<std::optional<RunState>>> FileJournal::state(std::string_view run)
{
    return state_of(RunName::from(run));
}

Task<Result<std::optional<RunState>>> FileJournal::state_of(std::optional<RunName> run)
{
    co_return run ? index_.state(*run) : std::nullopt;
}

void FileJournal::end(std::string_view run)
{
    const auto name = RunName::from(run);
    if (name && index_.end(*name)) writer_->sweep();
}

void FileJournal::keep_only(std::span<const std::string> runs)
{
    const std::unordered_set<std::string_view> kept(runs.begin(), runs.end());
    for (const RunName& run : index_.runs())
        if (!kept.contains(run.text())) end(run.text());
}

Figures FileJournal::figures() const
{
    Figures figures = writer_->figures();
    figures.runs = index_.run_count();
    return figures;
}

}  // namespace parley::journal::file

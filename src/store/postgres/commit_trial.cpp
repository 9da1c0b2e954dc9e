#include "store/postgres/commit_trial.hpp"

#include "base/id.hpp"

namespace parley::store::postgres {
namespace {

constexpr std::chrono::minutes between_forgotten{1};

}  // namespace

CommitTrial::CommitTrial(const Options& options, const std::atomic<bool>& is_closing)
    : options_(options), is_closing_(is_closing)
{
}

bool CommitTrial::is_answered()
{
    if (is_stale_ && Steady::now() >= forgets_from_) forget_now();
    try {
        if (!begun_) send();
        if (!link_->take_end_if_there()) return false;
    } catch (const Failure&) {
        drop();
        return false;
    }
    is_stale_ = false;
    begun_.reset();
    return true;
}

void CommitTrial::rest()
{
    if (!begun_) link_.reset();
}

void CommitTrial::forget()
{
    if (!begun_) return rest();
    is_stale_ = true;
    if (Steady::now() >= forgets_from_) forget_now();
}

void CommitTrial::forget_now()
{
    forgets_from_ = Steady::now() + between_forgotten;
    drop();
}

void CommitTrial::drop()
{
    is_stale_ = false;
    begun_.reset();
    link_.reset();
    id_.clear();
}

void CommitTrial::send()
{
    if (id_.empty()) id_ = new_id("con", std::chrono::system_clock::now());
    give_up_at_ = Steady::now() + options_.patience / 2;
    if (!link_)
        link_ = std::make_unique<Link>(
            options_, [this] { return is_closing_ || Steady::now() > give_up_at_; });
    link_->send("INSERT INTO commit_marks (connection, number) VALUES ('" + id_ +
                "', 0) ON CONFLICT (connection, number) DO UPDATE SET at = clock_timestamp()");
    link_->send_end();
    begun_ = Steady::now();
}

}  // namespace parley::store::postgres

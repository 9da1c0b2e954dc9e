#include "chat/prompt_images.hpp"

#include "base/timer.hpp"
#include "chat/images.hpp"
#include "engine/question_turn.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace parley::chat {
namespace {

constexpr std::chrono::milliseconds pause_for_memory{20};

}  // namespace

// A stored image of a prompt.
struct PromptImages::Stored {
    engine::Turn* turn = nullptr;
    std::size_t index = 0;
    std::size_t bytes = 0;
};

bool PromptMemory::take(const std::string& user, std::size_t bytes)
{
    const MutexLock lock(mutex_);
    std::size_t total = bytes;
    for (const auto& [each, taken] : users_) total += taken;
    const auto found = users_.find(user);
    const std::size_t before = found == users_.end() ? 0 : found->second;
    if (total > all || before + bytes > of_user) return false;
    users_[user] = before + bytes;
    return true;
}

void PromptMemory::give_back(const std::string& user, std::size_t bytes)
{
    const MutexLock lock(mutex_);
    const auto found = users_.find(user);
    if (found == users_.end()) return;
    found->second -= bytes;
    if (found->second == 0) users_.erase(found);
}

std::size_t PromptMemory::taken() const
{
    const MutexLock lock(mutex_);
    std::size_t total = 0;
    for (const auto& [each, taken] : users_) total += taken;
    return total;
}

// The newest ones that fit, from the last one upwards; the others are left out.
Task<Result<std::vector<PromptImages::Stored>>> PromptImages::choose(
    const Owner& owner, std::vector<engine::Turn>& turns)
{
    std::vector<Stored> chosen;
    std::size_t total = 0;
    for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
        for (std::size_t i = turn->images.size(); i-- > 0;) {
            const std::string_view hash = image_in_path(*turn->images[i].url);
            if (hash.empty()) continue;
            const auto size = co_await store_.messages().image_size(owner, std::string(hash));
            const bool is_asked = turn == turns.rbegin();
            if (!size && (is_asked || size.error().code != Errc::not_found)) co_return size.error();
            const bool fits = size && total + *size <= limit_;
            if (is_asked && !fits)
                co_return Error{Errc::message_too_long,
                                "The images of the message have more than 32 MiB together."};
            if (fits) {
                total += *size;
                chosen.push_back({&*turn, i, *size});
                continue;
            }
            engine::replace_image(*turn, i, missing_image);
            for (Stored& other : chosen)
                if (other.turn == &*turn) --other.index;
        }
    }
    co_return chosen;
}

Task<Result<>> PromptImages::load(const Owner& owner, std::vector<engine::Turn>& turns,
                                  std::function<bool()> is_stopped)
{
    release();  // Memory that was taken by an earlier try, which failed.
    const auto chosen = co_await choose(owner, turns);
    if (!chosen) co_return chosen.error();
    if (chosen->empty()) co_return Result<>();
    std::size_t needed = 0;
    for (const Stored& each : *chosen) needed += copies * each.bytes;
    Timer timer(co_await boost::asio::this_coro::executor);
    while (!memory_.take(owner.user, needed)) {
        timer.expires_after(pause_for_memory);
        boost::system::error_code ignored;
        co_await timer.async_wait(boost::asio::redirect_error(awaiting, ignored));
        if (is_stopped()) co_return Result<>();
    }
    user_ = owner.user;
    taken_ = needed;
    for (const Stored& each : *chosen) {
        engine::TurnImage& image = each.turn->images[each.index];
        const auto found =
            co_await store_.messages().find_image(owner, std::string(image_in_path(*image.url)));
        if (!found) co_return found.error();
        image.url = std::make_shared<const std::string>(data_url(*found));
    }
    co_return Result<>();
}

void PromptImages::release() { memory_.give_back(user_, std::exchange(taken_, 0)); }

}  // namespace parley::chat

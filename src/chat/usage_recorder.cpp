#include "chat/usage_recorder.hpp"

#include <utility>

namespace parley::chat {

void UsageRecorder::count(const Owner& owner, const std::string& model, TimePoint now,
                          const Usage& tokens)
{
    const MutexLock lock(mutex_);
    add({.owner = owner,
         .model = model,
         .day = store::day_of(now),
         .requests = 1,
         .tokens = tokens});
}

void UsageRecorder::add(const store::DailyUsage& used)
{
    const auto [place, is_new] = counted_.try_emplace(Key(used.owner, used.model, used.day), used);
    if (is_new) return;
    store::DailyUsage& sum = place->second;
    sum.requests += used.requests;
    sum.tokens.input_tokens += used.tokens.input_tokens;
    sum.tokens.output_tokens += used.tokens.output_tokens;
    sum.tokens.cached_input_tokens += used.tokens.cached_input_tokens;
}

void UsageRecorder::settle(std::string id)
{
    const MutexLock lock(mutex_);
    settled_.push_back(std::move(id));
}

UsageRecorder::Counted UsageRecorder::take()
{
    std::map<Key, store::DailyUsage> taken;
    Counted counted;
    {
        const MutexLock lock(mutex_);
        taken.swap(counted_);
        counted.settled.swap(settled_);
    }
    counted.used.reserve(taken.size());
    for (auto& [key, each] : taken) counted.used.push_back(std::move(each));
    return counted;
}

void UsageRecorder::put_back(Counted taken)
{
    const MutexLock lock(mutex_);
    for (const store::DailyUsage& each : taken.used) add(each);
    for (std::string& id : taken.settled) settled_.push_back(std::move(id));
}

}  // namespace parley::chat

#include "store/memory/memory_store.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>
#include <span>

namespace parley::store {
namespace {

class MemoryAudit final : public AuditLog {
public:
    Task<Result<>> append(AuditEvent event) override
    {
        const std::lock_guard lock(mutex_);
        if (!ids_.insert(event.id).second)
            co_return Error{Errc::conflict, "There is an audit event with this id."};
        events_.push_back(std::move(event));
        co_return Result<>();
    }

    Task<Result<Page<AuditEvent, Position>>> list(std::optional<Position> before,
                                                  std::size_t limit) override
    {
        const std::lock_guard lock(mutex_);
        const auto size = static_cast<Position>(events_.size());
        // The position of an event is its place in the order of storing, from 1 on.
        Position at = std::clamp<Position>(before.value_or(size + 1), 1, size + 1);
        Page<AuditEvent, Position> page;
        while (at > 1 && page.items.size() < limit)
            page.items.push_back(events_[static_cast<std::size_t>(--at - 1)]);
        if (at > 1 && !page.items.empty()) page.next = at;
        co_return page;
    }

private:
    std::mutex mutex_;
    std::vector<AuditEvent> events_;
    std::set<std::string> ids_;
};

class MemoryKeys final : public Keys {
public:
    Task<Result<Secret>> key_for(std::string purpose) override
    {
        const std::lock_guard lock(mutex_);
        auto [found, is_new] = keys_.try_emplace(std::move(purpose));
        if (is_new) {
            std::array<char, size> bytes{};
            random_bytes(std::as_writable_bytes(std::span(bytes)));
            found->second = Secret({bytes.data(), bytes.size()});
        }
        co_return Secret(found->second.reveal());
    }

private:
    std::mutex mutex_;
    std::map<std::string, Secret> keys_;
};

class MemoryStore final : public Store {
public:
    AuditLog& audit() override { return audit_; }
    Keys& keys() override { return keys_; }
    Task<Result<std::uint64_t>> back_up(std::filesystem::path /*file*/) override
    {
        co_return Error{Errc::not_implemented,
                        "A store in memory cannot be backed up; set store.kind=sqlite."};
    }
    Result<> can_write() const override { return {}; }
    Figures figures() const override { return {}; }

private:
    MemoryAudit audit_;
    MemoryKeys keys_;
};

}  // namespace

std::unique_ptr<Store> make_memory_store() { return std::make_unique<MemoryStore>(); }

}  // namespace parley::store

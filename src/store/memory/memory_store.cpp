#include "store/memory/memory_store.hpp"

#include "base/random.hpp"
#include "store/memory/accounts.hpp"
#include "store/memory/audit.hpp"
#include "store/memory/messages.hpp"
#include "store/memory/runs.hpp"
#include "store/memory/sessions.hpp"
#include "store/memory/tokens.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <set>
#include <span>

namespace parley::store {
namespace {

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
    Accounts& accounts() override { return accounts_; }
    Tokens& tokens() override { return tokens_; }
    AuditLog& audit() override { return audit_; }
    Keys& keys() override { return keys_; }
    Sessions& sessions() override { return sessions_; }
    Messages& messages() override { return messages_; }
    Runs& runs() override { return runs_; }
    Task<Result<std::uint64_t>> back_up(std::filesystem::path /*file*/) override
    {
        co_return Error{Errc::not_implemented,
                        "A store in memory cannot be backed up; set store.kind=sqlite."};
    }
    Result<> can_write() const override { return {}; }
    Figures figures() const override { return {}; }

private:
    People people_;
    Chats chats_;
    MemoryAudit audit_;
    MemoryAccounts accounts_{people_, chats_, audit_};
    MemoryTokens tokens_{people_, chats_, audit_};
    MemoryKeys keys_;
    MemorySessions sessions_{people_, chats_};
    MemoryMessages messages_{chats_};
    MemoryRuns runs_{people_, chats_};
};

}  // namespace

std::unique_ptr<Store> make_memory_store() { return std::make_unique<MemoryStore>(); }

}  // namespace parley::store

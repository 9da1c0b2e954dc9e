// Conversations that come from other programs or servers, and the export of all data of a user.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/sha256.hpp"
#include "base/task.hpp"
#include "store/accounts.hpp"
#include "store/automations.hpp"
#include "store/messages.hpp"
#include "store/sessions.hpp"
#include "store/webhooks.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

// A message of an imported conversation. Its parent is an earlier one of the same list.
struct ImportedMessage {
    Message message = {};  // Session, parent and depth are set by the store.
    std::optional<std::size_t> parent = {};
};

struct NewImport {
    std::string format = {};
    Sha256 source{};  // Equal for the same conversation.
    Session session = {};
    std::vector<ImportedMessage> messages = {};
    std::optional<std::size_t> newest = {};  // Which of them is the newest message of the session.
    TimePoint now = {};
    Cause cause = {};
};

struct StoredImport {
    std::string session = {};
    bool replayed = false;  // The same conversation was imported before: this is its session.
};

// Gets all data of an owner, in the order of these functions; the messages of a session follow it,
// parents before their children. Called in a thread of the store.
class ExportSink {
public:
    virtual ~ExportSink() = default;

    // First, and again if the connection to the database was lost: what came before does not count.
    virtual void begin() = 0;
    virtual void user(const User& user) = 0;
    virtual void session(const Session& session) = 0;
    virtual void message(const Message& message) = 0;
    virtual void image(const Image& image) = 0;  // After all messages, each once.
    virtual void automation(const Automation& automation) = 0;
    virtual void webhook(const Webhook& webhook) = 0;

    // True: nothing more is wanted.
    virtual bool is_full() const = 0;
};

class Moving {
public:
    virtual ~Moving() = default;

    // Stores a conversation with its times. A long one is stored in parts, so that other changes
    // come in between: until its end it is not found. Fails with not_found if the user was removed,
    // with conflict if that happened meanwhile, and with shutting_down.
    virtual Task<Result<StoredImport>> import_session(NewImport import) = 0;

    // All data of the owner, of one moment; or one session and its messages. Fails with not_found
    // if the user was removed, or has no such session.
    virtual Task<Result<>> export_data(Owner owner, std::optional<std::string> session,
                                       std::shared_ptr<ExportSink> sink) = 0;

    // At shutdown, from any thread: imports and exports that have not ended by then fail with
    // shutting_down, and imports leave nothing. Until then imports are faster: they no longer wait
    // for the index.
    virtual void end_by(SteadyPoint end) = 0;
};

}  // namespace parley::store

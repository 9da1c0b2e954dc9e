// Sessions with their messages and runs, and the keys of requests, as a store in memory holds them.
//
// Threads: whoever uses one holds its mutex, for the whole of a use case. Who needs people's too
// takes both at once.
#pragma once

#include "store/chat_rules.hpp"

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parley::store {

class Chats {
public:
    using Position = std::int64_t;

    std::mutex mutex;

    // The session's first activity. False where its id is there already.
    bool add(Session session);
    Session* find_session(const Owner& owner, const std::string& id);
    // The ids of everybody's sessions in an order in which they are listed.
    const std::map<Position, std::string>& in_order_of(SessionFilter::Sort sort) const;
    const Session& session(const std::string& id) const { return sessions_.at(id).session; }
    // A run began or ended, which may have brought a message.
    void note_activity(const std::string& session, TimePoint at, const Message* brought);
    // With all that is in it.
    void remove_session(const std::string& id);
    void remove_sessions_and_keys_of(const std::string& user);

    // Puts it under its parent. False where its id is there already.
    bool add(Message message);
    const Message* find_message(const std::string& id) const;
    const Message* find_message(const Owner& owner, const std::string& id);
    // Itself included, in the order of storing.
    const std::vector<std::string>& siblings(const Message& message) const;
    std::vector<std::string> children(const std::string& session, const std::string& parent) const;

    struct KeptRun {
        Run run;
        std::string events = {};  // Empty: not kept.
    };
    // It is active in its session until it is said to have ended. False where its id is there.
    bool add(Run run);
    KeptRun* find_run(const std::string& id);
    const KeptRun* find_run(const std::string& id) const;
    void end_run(const Run& run);
    RunWithMessages whole(const Run& run) const;
    // In the order in which they were begun.
    std::map<Position, KeptRun>& runs() { return runs_; }

    // What the key is bound to, also where that has another fingerprint; nothing where it is free,
    // by its time or by a run that freed it.
    std::optional<BoundKey> find_key(const Owner& owner, const KeyClaim& claim) const;
    // The same for a request that makes an object of this kind: see key_rules.hpp.
    Result<std::optional<std::string>> made_before(const Owner& owner, const KeyClaim& claim,
                                                   Keyed kind) const
    {
        return store::made_before(find_key(owner, claim), claim, kind);
    }
    // The run that has freed the key, where it was asked with the same fingerprint.
    const Run* find_freed_run(const Owner& owner, const KeyClaim& claim) const;
    void bind_key(const Owner& owner, const KeyClaim& claim, Keyed kind, std::string id);
    std::size_t forget_keys(TimePoint now, std::size_t most);

private:
    struct KeptSession {
        Session session;
        Position created = 0;
        Position activity = 0;
    };
    struct KeptKey {
        BoundKey bound;
        TimePoint expires_at;
    };
    std::optional<BoundKey> find_unexpired(const Owner& owner, const KeyClaim& claim) const;
    // Null where it is not freed.
    const Run* freed_by(const BoundKey& bound) const;
    // Of a session and a parent, which is empty for beginnings.
    using Family = std::pair<std::string, std::string>;
    static Family family_of(const Message& message)
    {
        return {message.session, message.parent.value_or("")};
    }

    Position last_position_ = 0;
    std::unordered_map<std::string, KeptSession> sessions_;
    std::map<Position, std::string> by_creation_;
    std::map<Position, std::string> by_activity_;
    std::unordered_map<std::string, Message> messages_;
    std::map<Family, std::vector<std::string>> families_;
    std::map<Position, KeptRun> runs_;
    std::unordered_map<std::string, Position> runs_by_id_;
    std::map<std::pair<Owner, std::string>, KeptKey> keys_;
};

}  // namespace parley::store

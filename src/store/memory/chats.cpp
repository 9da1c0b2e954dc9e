#include "store/memory/chats.hpp"

namespace parley::store {

bool Chats::add(Session session)
{
    if (sessions_.contains(session.id)) return false;
    const Position position = ++last_position_;
    by_creation_[position] = session.id;
    by_activity_[position] = session.id;
    const std::string id = session.id;
    sessions_.emplace(id, KeptSession{std::move(session), position, position});
    return true;
}

Session* Chats::find_session(const Owner& owner, const std::string& id)
{
    const auto found = sessions_.find(id);
    if (found == sessions_.end() || found->second.session.owner != owner) return nullptr;
    return &found->second.session;
}

const std::map<Chats::Position, std::string>& Chats::in_order_of(SessionFilter::Sort sort) const
{
    return sort == SessionFilter::Sort::created ? by_creation_ : by_activity_;
}

void Chats::note_activity(const std::string& session, TimePoint at, const Message* brought)
{
    auto& [kept, created, activity] = sessions_.at(session);
    by_activity_.erase(activity);
    activity = ++last_position_;
    by_activity_[activity] = session;
    kept.updated_at = to_the_millisecond(at);
    ++kept.revision;
    if (!brought) return;
    kept.last_message_at = kept.updated_at;
    kept.newest_message = brought->id;
    ++kept.message_count;
}

void Chats::remove_session(const std::string& id)
{
    const auto found = sessions_.find(id);
    if (found == sessions_.end()) return;
    by_creation_.erase(found->second.created);
    by_activity_.erase(found->second.activity);
    std::erase_if(messages_, [&](const auto& each) { return each.second.session == id; });
    std::erase_if(families_, [&](const auto& each) { return each.first.first == id; });
    std::erase_if(runs_, [&](const auto& each) {
        const Run& run = each.second.run;
        return run.session == id && runs_by_id_.erase(run.id) > 0;
    });
    sessions_.erase(found);
}

void Chats::remove_sessions_and_keys_of(const std::string& user)
{
    std::vector<std::string> theirs;
    for (const auto& [id, kept] : sessions_)
        if (kept.session.owner.user == user) theirs.push_back(id);
    for (const std::string& id : theirs) remove_session(id);
    std::erase_if(keys_, [&](const auto& each) { return each.first.first.user == user; });
}

bool Chats::add(Message message)
{
    if (messages_.contains(message.id)) return false;
    message.created_at = to_the_millisecond(message.created_at);
    message.depth = message.parent ? messages_.at(*message.parent).depth + 1 : 0;
    families_[family_of(message)].push_back(message.id);
    const std::string id = message.id;
    messages_.emplace(id, std::move(message));
    return true;
}

const Message* Chats::find_message(const std::string& id) const
{
    const auto found = messages_.find(id);
    return found == messages_.end() ? nullptr : &found->second;
}

const Message* Chats::find_message(const Owner& owner, const std::string& id)
{
    const Message* found = find_message(id);
    return found && find_session(owner, found->session) ? found : nullptr;
}

const std::vector<std::string>& Chats::siblings(const Message& message) const
{
    return families_.at(family_of(message));
}

std::vector<std::string> Chats::children(const std::string& session,
                                         const std::string& parent) const
{
    const auto found = families_.find({session, parent});
    return found == families_.end() ? std::vector<std::string>() : found->second;
}

bool Chats::add(Run run)
{
    const Position position = last_position_ + 1;
    if (!runs_by_id_.try_emplace(run.id, position).second) return false;
    last_position_ = position;
    sessions_.at(run.session).session.active_runs.push_back(run.id);
    runs_.emplace(position, KeptRun{std::move(run)});
    return true;
}

Chats::KeptRun* Chats::find_run(const std::string& id)
{
    const auto found = runs_by_id_.find(id);
    return found == runs_by_id_.end() ? nullptr : &runs_.at(found->second);
}

const Chats::KeptRun* Chats::find_run(const std::string& id) const
{
    const auto found = runs_by_id_.find(id);
    return found == runs_by_id_.end() ? nullptr : &runs_.at(found->second);
}

void Chats::end_run(const Run& run)
{
    std::erase(sessions_.at(run.session).session.active_runs, run.id);
}

RunWithMessages Chats::whole(const Run& run) const
{
    RunWithMessages whole{run, messages_.at(run.question), std::nullopt};
    if (has_ended(run.status)) whole.answer = messages_.at(run.answer);
    return whole;
}

std::optional<BoundKey> Chats::find_unexpired(const Owner& owner, const KeyClaim& claim) const
{
    const auto found = keys_.find({owner, claim.key});
    if (found == keys_.end()) return std::nullopt;
    if (has_expired(found->second.expires_at, to_the_millisecond(claim.now))) return std::nullopt;
    return found->second.bound;
}

std::optional<BoundKey> Chats::find_key(const Owner& owner, const KeyClaim& claim) const
{
    auto bound = find_unexpired(owner, claim);
    return bound && freed_by(*bound) ? std::nullopt : std::move(bound);
}

const Run* Chats::find_freed_run(const Owner& owner, const KeyClaim& claim) const
{
    const auto bound = find_unexpired(owner, claim);
    return bound && bound->fingerprint == claim.fingerprint ? freed_by(*bound) : nullptr;
}

const Run* Chats::freed_by(const BoundKey& bound) const
{
    const KeptRun* kept = bound.kind == Keyed::run ? find_run(bound.id) : nullptr;
    return kept && kept->run.frees_key ? &kept->run : nullptr;
}

void Chats::bind_key(const Owner& owner, const KeyClaim& claim, Keyed kind, std::string id)
{
    keys_[{owner, claim.key}] = {{claim.fingerprint, kind, std::move(id)},
                                 to_the_millisecond(claim.expires_at)};
}

std::size_t Chats::forget_keys(TimePoint now, std::size_t most)
{
    std::size_t forgotten = 0;
    std::erase_if(keys_, [&](const auto& each) {
        if (forgotten == most || !has_expired(each.second.expires_at, to_the_millisecond(now)))
            return false;
        ++forgotten;
        return true;
    });
    return forgotten;
}

}  // namespace parley::store

// Runs: one question being answered. A run is begun and finished in one transaction each; the
// events in between are in the journal. After its end the store keeps its events for a while, so
// that streams can be resumed.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"
#include "domain/event.hpp"
#include "store/idempotency.hpp"
#include "store/messages.hpp"
#include "store/page.hpp"
#include "store/sessions.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace parley::store {

struct Run {
    std::string id = {};  // run_…
    Owner owner = {};
    std::string session = {};
    std::string question = {};  // msg_… of role user.
    std::string answer = {};    // msg_…, known from the beginning; stored when the run ends.
    std::string model = {};
    std::string parameters = {};  // Sampling parameters (chat/parameters.hpp).
    Metadata metadata = {};
    RunStatus status = RunStatus::queued;
    TimePoint created_at = {};
    std::optional<TimePoint> started_at = {};
    std::optional<TimePoint> completed_at = {};
    std::optional<Usage> usage = {};
    std::optional<RunError> error = {};  // Only of a failed run.
    std::int64_t history_from = 0;       // The depth of the first message that the model got.
    std::int64_t last_number = 0;        // The number of its terminal event; 0 while it is active.
    // Since when its events are stored, by the trusted time; completed_at is for people, and may be
    // from another clock.
    std::optional<TimePoint> kept_since = {};
    bool frees_key = false;  // It failed temporarily, and its key may be used again.
    Cause cause = {};

    bool operator==(const Run&) const = default;
};

// A run with its question and answer.
struct RunWithMessages {
    Run run;
    Message question;
    std::optional<Message> answer;  // Once it has ended.
    // From 1, while it waits in the line of several servers.
    std::optional<std::int64_t> queue_position = {};
};

// An unfinished run with the siblings of the message that it writes.
struct WritingRun {
    RunWithMessages whole;
    std::vector<std::string> siblings;
};

struct RunFilter {
    std::optional<RunStatus> status = {};
    std::optional<std::string> session = {};  // ses_…
};

// The place of a question in its session. Regenerate adds no question: the named one, of role user,
// is answered again.
struct AfterNewest {};
struct NewRoot {};
struct ReplyTo {
    std::string parent;
};
struct Regenerate {
    std::string question;
};
using Placement = std::variant<AfterNewest, NewRoot, ReplyTo, Regenerate>;

// Makes a run the next attempt of a row of the ledger (ledger.hpp).
struct AttemptClaim {
    std::string row = {};                  // aru_…
    const Clock* clock = &system_clock();  // Read when the attempt is admitted.
    std::int64_t reserved_tokens = 0;  // The most that it may write; for the automation's budget.
    bool session_goes_on = false;      // The automation's next row asks in the same session.
    std::int64_t depth = 1;            // The depth of the row.
    // Attempts that automations of the owner may start in any minute; 0: not limited. Counted only
    // if several servers share the store, and not in test mode: one server counts for itself.
    std::int64_t most_starts = 0;
};

// How runs get their places if several servers share the store. A run that has to wait belongs to
// no server until one of them takes it (Runs::take_turn). The scripted model has a line of its own,
// so that its runs take no place from others.
struct SharedLine {
    std::int64_t places = 0;       // Runs of all servers at the same time; 0: no limit.
    std::int64_t max_waiting = 0;  // Runs of people that may wait.
    bool keeps_one = false;        // No user has all places.
    // Users whose waiting runs may not have the place of a new one: they have all places of this
    // server that they may have.
    std::vector<std::string> without = {};
    // The first event of a run, as the journal keeps it. It is stored with the run, which may wait,
    // or begin at once.
    std::function<std::string(const RunWithMessages&)> first_event = {};
};

struct TurnRequest {
    std::int64_t replica = 0;              // As in NewRun.
    bool is_scripted = false;              // Which of the two lines.
    const Clock* clock = &system_clock();  // Read once the run has its place.
    std::int64_t places = 0;               // As in SharedLine.
    bool keeps_one = false;
    std::vector<std::string> without = {};  // Users whose runs are not taken.
};

struct NewRun {
    Run run;  // Its session may be empty if the placement names a message.
    std::optional<Session> new_session = {};  // To be created for it, with this id.
    std::vector<Message> earlier = {};        // In a new session: the earlier messages, in order.
    std::optional<Message> question = {};     // Not with Regenerate. Session, parent and depth are
    Placement placement = AfterNewest{};      // set by the store.
    std::vector<Image> images = {};           // New ones that the messages refer to.
    std::string title = {};                   // For a session without one that was set and without
    std::string title_key = {};               // messages.
    std::optional<KeyClaim> key = {};
    std::optional<AttemptClaim> attempt = {};
    std::int64_t replica = 0;  // The incarnation of the server that executes it; 0: the only one.
    // Only if the store is shared: a run that is to begin at once is stored as queued if there is
    // no place for it, or if others wait.
    std::optional<SharedLine> line = {};
    // The most that it may write; for the budget of its user. 0: not limited.
    std::int64_t reserved_tokens = 0;
};

struct BegunRun {
    RunWithMessages whole;
    bool replayed = false;  // The key was used before: this is its run.
    // If the key was bound to a run that freed it, with the same fingerprint, the new run answers
    // the question of that one again.

    // As the store has it, if it was stored with the run (SharedLine).
    std::optional<std::string> first_event = {};
    std::optional<std::string> instructions = {};  // Those of its session; not of a replay.
};

struct FinishedRun {
    std::string run = {};
    std::int64_t replica = 0;  // As in NewRun.
    // Its session, unless it is a run of an automation. It saves a look-up, and may be empty.
    std::string session = {};
    RunStatus status = RunStatus::completed;
    std::optional<TimePoint> started_at = {};  // Nothing: it was cancelled while it waited.
    TimePoint completed_at;
    std::optional<Usage> usage = {};
    std::optional<RunError> error = {};
    std::int64_t history_from = 0;
    Message answer = {};  // Id, run, session, parent and depth are set by the store.
    std::int64_t last_number = 0;
    bool frees_key = false;
    bool may_retry = false;  // It failed with an error that may pass.
    // It was completed, but is a failure as an attempt of an automation.
    std::optional<RunError> failure_of_attempt = {};
    std::string events = {};  // Its events, compressed (chat/kept_events.hpp).
    TimePoint kept_since = {};
};

struct RemovedRun {
    std::string session = {};              // ses_…
    std::vector<std::string> active = {};  // The runs that were removed while they were active.
    bool removed_session = false;
};

class Runs {
public:
    virtual ~Runs() = default;

    // Stores session, question, run and key, and the activity. Fails
    //   - with not_found if the session, the parent or the question does not exist or belongs to
    //     another owner, if the named message is of another session, if a message refers to an
    //     image that is neither new nor stored, or if the user was removed;
    //   - with session_busy if the placement is AfterNewest and the newest question is being
    //     answered, for the first time or again, or if it is ReplyTo a message that is being
    //     written: `extra` has the session's "active_run_ids";
    //   - with validation_failed if the placement is ReplyTo a message of role user, or Regenerate
    //     with an answer: the fault is at "#/parent_message_id";
    //   - with a key as idempotency.hpp says;
    //   - with budget_used_up (usage.hpp);
    //   - as an attempt, with conflict if its row cannot begin one now, and with quota_reached if
    //     the automation has used up its output tokens;
    //   - with overloaded if it would have to wait in a line that is full, or in which its user has
    //     no room;
    //   - with lost_ownership if the server was fenced (cluster/cluster.hpp).
    virtual Task<Result<BegunRun>> begin_run(NewRun run) = 0;

    // Marks the run as running. Ignored for a run that is not queued. Fails with lost_ownership if
    // the run belongs to another server.
    virtual Task<Result<>> start_run(std::string run, TimePoint at, std::int64_t replica = 0) = 0;

    // Stores the answer, the end of the run, its events and its usage. Fails with not_found if the
    // run was deleted with its session, with lost_ownership if it belongs to another server, and
    // with conflict if it has already ended.
    virtual Task<Result<>> finish_run(FinishedRun finished) = 0;

    // Makes this server the owner of running runs whose server is fenced or gone: of its share, if
    // so many servers claim. In the order in which they were begun. Those that are queued are to be
    // cancelled. Fails with lost_ownership.
    virtual Task<Result<std::vector<RunWithMessages>>> claim_runs(std::int64_t replica,
                                                                  std::size_t servers) = 0;

    // Takes the run whose turn it is in the line of all servers, and marks it as running on this
    // one. It is the oldest run of the user who has the fewest running ones; between equals, of the
    // user whose last turn is the longest ago. Runs of automations come last in their first minute.
    // Nothing if no run waits, or none may begin. Fails with lost_ownership.
    virtual Task<Result<std::optional<RunWithMessages>>> take_turn(TurnRequest wanted) = 0;

    // For a run of another server, or one that waits: a server hears of it (cluster/cluster.hpp).
    // Ignored for a run that
    // has ended or does not exist.
    virtual Task<Result<>> ask_to_cancel(std::string run) = 0;

    virtual Task<Result<RunWithMessages>> find_run(Owner owner, std::string id) = 0;

    // The unfinished run that writes a message. Fails with not_found if there is none.
    virtual Task<Result<WritingRun>> find_writing_run(Owner owner, std::string message) = 0;

    // The owner's runs, newest first, after `after`, if given.
    using Position = std::int64_t;
    virtual Task<Result<Page<RunWithMessages, Position>>> list_runs(Owner owner, RunFilter filter,
                                                                    std::optional<Position> after,
                                                                    std::size_t limit) = 0;

    // Removes a run with its answer, and everything below that answer. Its question is removed,
    // too, unless it has another answer; so are earlier messages that were stored together with the
    // question. If no message is left, the session is removed. Fails with not_found, and with
    // conflict if an automation waits for one of the runs.
    virtual Task<Result<RemovedRun>> remove_run(Owner owner, std::string id, TimePoint now,
                                                Cause cause) = 0;

    // Queued and running runs of all users, in the order in which they were begun.
    virtual Task<Result<std::vector<RunWithMessages>>> unfinished_runs() = 0;

    // The `events` of an ended run. Fails with not_found if they are not stored (any more).
    virtual Task<Result<std::string>> events(std::string run) = 0;

    // The same for a run that version 0.1 finished, which stored the frames of all events: those
    // after a number, as many as fit into `max_bytes`, but at least one if there is one. Fails with
    // not_found if there are none.
    virtual Task<Result<std::vector<std::string>>> old_frames(std::string run, std::int64_t after,
                                                              std::size_t max_bytes) = 0;

    // Whether begin_run or create_session would be a replay. False also for a key that is bound to
    // another fingerprint, or that a failed run has freed.
    virtual Task<Result<bool>> is_replay(Owner owner, KeyClaim key) = 0;

    // The run that begin_run would replay; nothing if the key is free. Fails as begin_run does for
    // the key.
    virtual Task<Result<std::optional<RunWithMessages>>> find_replay(Owner owner, KeyClaim key) = 0;

    // Removes events that are stored since before `events_before`, and expired keys, `most` of each
    // at most; returns their number.
    virtual Task<Result<std::size_t>> sweep_runs(TimePoint events_before, TimePoint now,
                                                 std::size_t most) = 0;
};

}  // namespace parley::store

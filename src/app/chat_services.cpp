#include "app/chat_services.hpp"

#include "app/signals.hpp"
#include "base/block_on.hpp"
#include "base/log.hpp"
#include "models/models.hpp"

namespace parley::app {
namespace {

// The time in which a run can stop where it is: a model finishes its token, the journal its write.
constexpr std::chrono::seconds time_to_suspend{2};
constexpr std::chrono::milliseconds time_between_idle_checks{100};

// For due automations that another server has not started. A dead one is noticed after 5 seconds.
constexpr std::chrono::seconds time_between_looks_of_several{5};

chat::RunOptions run_options(const Settings& settings, const ChatServices::Needs& needs)
{
    chat::RunOptions options = settings.runs;
    options.check_room = needs.check_room;
    options.expiry = &needs.time;
    options.cluster = &needs.cluster;
    return options;
}

automation::Options automation_options(const Settings& settings, const ChatServices::Needs& needs)
{
    automation::Options options = settings.automations;
    if (!needs.cluster.is_alone()) options.time_between_looks = time_between_looks_of_several;
    options.public_url = settings.pipeline.public_url;
    options.expiry = &needs.time;
    return options;
}

schedule::Zones load_zones()
{
    auto zones = schedule::Zones::load();
    if (zones) return std::move(*zones);
    log::warn("no time zone database: schedules cannot be used; install tzdata",
              log::kv("reason", zones.error().message));
    return schedule::Zones::none();
}

}  // namespace

Result<std::unique_ptr<ChatServices>> ChatServices::open(const Settings& settings,
                                                         const Needs& needs)
{
    auto models =
        models::open_models(settings.models, {.data = settings.data,
                                              // Nothing outlives a store that does not.
                                              .keeps_caches = settings.store_kind != "memory",
                                              .run_timeout = settings.runs.timeout,
                                              .clients = needs.clients,
                                              .loading_failed = stop_because});
    if (!models) return models.error();
    return std::unique_ptr<ChatServices>(new ChatServices(settings, std::move(*models), needs));
}

ChatServices::ChatServices(const Settings& settings, std::unique_ptr<engine::Models> models,
                           const Needs& needs)
    : models_(std::move(models)),
      problems_(settings.pipeline.public_url),
      runs_(needs.store, needs.journal, *models_, problems_, run_options(settings, needs)),
      questions_(needs.store, *models_, runs_, system_clock()),
      sessions_(needs.store, *models_, questions_, runs_, system_clock()),
      zones_(load_zones()),
      runner_(std::make_shared<automation::Runner>(
          automation::Runner::Services{
              .store = needs.store,
              .questions = questions_,
              .sessions = sessions_,
              .runs = runs_,
              .errors = problems_,
              .zones = zones_,
              .clock = system_clock(),
              .may_sweep = [&time = needs.time] { return time.may_sweep(); }},
          automation_options(settings, needs))),
      hook_secrets_(needs.sealer),
      hook_callers_(needs.store, hook_secrets_, needs.time),
      automations_(needs.store, runs_, *models_, zones_, hook_secrets_, system_clock(),
                   automation_options(settings, needs),
                   [runner = runner_.get()] { runner->wake(); }),
      test_clock_(
          needs.store, runs_, zones_, problems_, system_clock(),
          [runner = runner_.get()] { runner->wake(); },
          [runner = runner_.get()](const Owner& owner) { return runner->hold(owner); }),
      maintenance_(std::make_shared<chat::Maintenance>(
          chat::Maintenance::Services{
              .store = needs.store,
              .sessions = sessions_,
              .usage = runs_.usage(),
              .clock = system_clock(),
              .may_delete = [&time = needs.time] { return time.may_sweep(); }},
          settings.max_retention_days)),
      retention_limit_{settings.max_retention_days},
      streams_(needs.authenticator),
      store_(needs.store),
      authenticator_(needs.authenticator),
      metrics_(needs.metrics)
{
    runs_.counters().observe_first_delta([this](auto took) { metrics_.first_delta(took); });
    metrics_.watch([this] { return runs_.figures(); }, models_.get());
}

ChatServices::~ChatServices()
{
    runner_->stop();
    maintenance_->stop();
    if (!runner_->wait_until_idle(time_to_suspend))
        log::warn("some tasks of automations did not end in time");
    if (!maintenance_->wait_until_idle(time_to_suspend))
        log::warn("the maintenance of chats did not end in time");
    store_usage();
    metrics_.watch(nullptr, nullptr);
}

// The rest, which nothing counts any more.
void ChatServices::store_usage()
{
    auto counted = runs_.usage().take();
    if (counted.empty()) return;
    if (const auto stored =
            block_on(store_.usage().add(std::move(counted.used), std::move(counted.settled)));
        !stored)
        log::warn("the usage of the last seconds is lost",
                  log::kv("reason", stored.error().message));
}

void ChatServices::add_to(api::Services& services)
{
    services.add(std::as_const(*models_));
    services.add(runs_);
    services.add(questions_);
    services.add(sessions_);
    services.add(automations_);
    services.add(test_clock_);
    services.add(automation_services_);
    services.add(runner_->limit());
    services.add<const chat::RunErrors>(problems_);
    services.add(removed_users_);
    services.add(streams_);
    services.add(log_turns_);
    services.add(export_places_);
    services.add(import_places_);
    services.add(import_reader_);
    services.add(retention_limit_);
}

Result<> ChatServices::resume_unfinished(std::span<const Executor> loops)
{
    if (auto resumed = runs_.resume_unfinished(loops); !resumed) return resumed;
    loop_ = loops.front();
    runner_->start(loops.front());
    maintenance_->start(loops.front());
    return {};
}

// A user who was enabled again may have automations that wait for it.
void ChatServices::rights_changed(const std::string& user)
{
    streams_.check(user);
    runner_->wake();
}

// News may have been missed if this server was stopped for days.
void ChatServices::lose_runs()
{
    runs_.lose_all();
    authenticator_.forget_all("");
}

// As the server does that was asked: see Sessions.
void ChatServices::hear(const cluster::Heard& heard)
{
    for (const std::string& user : heard.rights) authenticator_.forget_all(user);
    runs_.hear(heard);
    if (runs_.is_closed()) return;  // The caches go with this process.
    const auto spawn = [this](Task<> task) { runs_.spawn_task(*loop_, std::move(task)); };
    for (const auto& [user, session] : heard.sessions)
        spawn(sessions_.forget_deleted(user, session));
    for (const auto& [user, session, runs] : heard.runs)
        spawn(sessions_.forget_deleted(user, session, runs));
    for (const std::string& user : heard.users) spawn(sessions_.forget_user(user));
}

Result<> ChatServices::check_models() const
{
    for (const auto& [name, engine] : models_->all())
        if (!engine->ready())
            return Error{Errc::model_unavailable, "The model " + name + " is being loaded."};
    return {};
}

std::vector<std::string> ChatServices::warnings() const
{
    std::string fault = zones_.complaint(system_clock().now());
    if (fault.empty()) return {};
    return {std::move(fault)};
}

void ChatServices::wait(const std::function<bool()>& may_wait)
{
    close();
    bool are_idle = runs_.wait_until_idle(time_between_idle_checks);
    while (!are_idle && may_wait()) are_idle = runs_.wait_until_idle(time_between_idle_checks);
    if (are_idle) return;
    const auto left = runs_.figures();
    log::info("runs suspended; the next start resumes them", log::kv("running", left.running),
              log::kv("queued", left.queued));
    runs_.suspend_all();
    if (!runs_.wait_until_idle(time_to_suspend)) log::warn("some runs did not stop in time");
}

}  // namespace parley::app

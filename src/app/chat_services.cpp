#include "app/chat_services.hpp"

#include "app/adapters.hpp"
#include "base/log.hpp"

namespace parley::app {
namespace {

// The time in which a run can stop where it is: a model finishes its token, the journal its write.
constexpr std::chrono::seconds time_to_suspend{2};

chat::RunOptions run_options(const Settings& settings, const TrustedTime& time,
                             std::function<Result<>()> check_room)
{
    return {.max_concurrent = static_cast<std::size_t>(settings.runs_max_concurrent),
            .max_queued = static_cast<std::size_t>(settings.runs_max_queued),
            .timeout = std::chrono::seconds(settings.runs_timeout_s),
            .events_keep = std::chrono::seconds(settings.runs_events_keep_s),
            .check_room = std::move(check_room),
            .expiry = &time};
}

}  // namespace

Result<std::unique_ptr<ChatServices>> ChatServices::open(
    const Settings& settings, store::Store& store, journal::Journal& journal,
    auth::TokenAuthenticator& gate, const TrustedTime& time, metrics::ChatMetrics& metrics,
    http::client::Clients& clients, std::function<Result<>()> check_room)
{
    auto models = open_models(settings, clients);
    if (!models) return models.error();
    return std::unique_ptr<ChatServices>(new ChatServices(
        settings, std::move(*models), store, journal, gate, time, metrics, std::move(check_room)));
}

ChatServices::ChatServices(const Settings& settings, std::unique_ptr<engine::Models> models,
                           store::Store& store, journal::Journal& journal,
                           auth::TokenAuthenticator& gate, const TrustedTime& time,
                           metrics::ChatMetrics& metrics, std::function<Result<>()> check_room)
    : models_(std::move(models)),
      problems_(settings.public_url),
      runs_(store, journal, *models_, problems_,
            run_options(settings, time, std::move(check_room))),
      questions_(store, *models_, runs_, system_clock()),
      sessions_(store, *models_, questions_, runs_, system_clock()),
      streams_(gate),
      gate_(gate),
      metrics_(metrics)
{
    gate_.when_rights_change([this](const std::string& user) { streams_.check(user); });
    runs_.counters().observe_first_delta([this](auto took) { metrics_.first_delta(took); });
    metrics_.watch([this] { return runs_.figures(); }, models_.get());
}

ChatServices::~ChatServices()
{
    metrics_.watch(nullptr, nullptr);
    gate_.when_rights_change(nullptr);
}

void ChatServices::add_to(api::Services& services)
{
    services.add(std::as_const(*models_));
    services.add(runs_);
    services.add(questions_);
    services.add(sessions_);
    services.add(removed_users_);
    services.add(streams_);
}

Result<> ChatServices::check_models() const
{
    for (const auto& [name, engine] : models_->all())
        if (!engine->ready())
            return Error{Errc::model_unavailable, "The model " + name + " is being loaded."};
    return {};
}

void ChatServices::wait(std::chrono::milliseconds patience)
{
    close();
    if (runs_.wait_until_idle(patience)) return;
    const auto left = runs_.figures();
    log::info("runs suspended; the next start resumes them", log::kv("running", left.running),
              log::kv("queued", left.queued));
    runs_.suspend_all();
    if (!runs_.wait_until_idle(time_to_suspend)) log::warn("some runs did not stop in time");
}

}  // namespace parley::app

// Couriers: one attempt of a delivery.
#include "base/log.hpp"
#include "webhook/couriers.hpp"
#include "webhook/retry.hpp"
#include "webhook/rotation.hpp"

#include <boost/asio/redirect_error.hpp>

#include <random>

namespace parley::webhook {
namespace {

constexpr std::chrono::days patience_with_failures{5};

double random_share()
{
    std::random_device source;
    return std::uniform_real_distribution(0.0, 1.0)(source);
}

}  // namespace

class Couriers::Attempt {
public:
    Attempt(Couriers& couriers, EndpointRef endpoint, Sending& sending)
        : couriers_(couriers), endpoint_(std::move(endpoint)), sending_(sending)
    {
        ++couriers_.sending_;
    }
    ~Attempt()  // NOLINT(bugprone-exception-escape): out of memory.
    {
        --couriers_.sending_;
        sending_.place.reset();
        endpoint_->running.erase(sending_.delivery.id);
        if (couriers_.stopped_) return;
        if (was_sent)
            couriers_.rouse(endpoint_);
        else
            couriers_.try_later(*endpoint_, time_before_signing);
        couriers_.rouse_one_that_waits();
    }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

    bool was_sent = false;

private:
    Couriers& couriers_;
    const EndpointRef endpoint_;
    Sending& sending_;
};

Task<> Couriers::attempt(EndpointRef endpoint, Sending sending)
{
    Attempt attempt(*this, endpoint, sending);
    const auto sent = co_await send(sending);
    // An attempt that the shutdown has ended is made again by the next process.
    if (sent && (sent->succeeded() || !stopped_)) {
        ++(sent->succeeded() ? succeeded_ : failed_);
        co_await settle(endpoint, end_of(sending, *sent));
    }
    attempt.was_sent = sent.has_value();
}

Task<std::optional<SentAttempt>> Couriers::send(const Sending& sending)
{
    const auto secrets = secrets_of(sending.webhook);
    // Asked just before it is sent: this server may have been stopped since it read the delivery.
    if (!secrets || stopped_ || !may_send()) co_return std::nullopt;
    if (!may_hear(sending.webhook, sending.delivery))
        co_return SentAttempt{
            .attempt = {.at = services_.clock.now(), .error = DeliveryError::address_refused},
            .is_forbidden = true};
    co_return co_await services_.sender.send(
        {.url = sending.webhook.url, .event = sending.delivery.event, .body = sending.body},
        *secrets);
}

store::DeliveryEnd Couriers::end_of(const Sending& sending, const SentAttempt& sent)
{
    store::DeliveryEnd end{.webhook = sending.webhook.id,
                           .delivery = sending.delivery.id,
                           .attempt = sent.attempt,
                           .succeeded = sent.succeeded(),
                           .patience = patience_with_failures,
                           .tries = sending.delivery.tries,
                           .url = sending.webhook.url};
    if (end.succeeded) return end;
    if (!sent.is_forbidden)
        end.wait = wait_before_next_try(static_cast<std::size_t>(sending.delivery.tries) + 1,
                                        sent.retry_after, random_share());
    if (sent.is_gone()) end.disables = DisabledReason::gone;
    return end;
}

// The newest one first.
Result<std::vector<SigningSecret>> Couriers::secrets_of(const store::Webhook& webhook) const
{
    std::vector<SigningSecret> secrets;
    std::vector<std::string_view> sealed = valid_ones(webhook.secret.old, services_.clock.now());
    sealed.insert(sealed.begin(), webhook.secret.sealed);
    for (const std::string_view each : sealed) {
        const auto text = services_.sealer.open(webhook.id, each);
        if (!text) return text.error();
        auto secret = SigningSecret::parse(text->reveal());
        if (!secret) return secret.error();
        secrets.push_back(std::move(*secret));
    }
    return secrets;
}

// Until it is stored: a delivery that was sent and not settled would be sent again at once.
Task<> Couriers::settle(EndpointRef endpoint, store::DeliveryEnd end)
{
    Timer pause(services_.loop.executor());
    while (true) {
        const auto settled = co_await services_.store.deliveries().settle(end);
        if (settled && *settled) {
            endpoint->failing = (*settled)->failing_since.has_value();
            if ((*settled)->state == WebhookState::disabled)
                log::info("webhook disabled", log::kv("webhook_id", end.webhook));
        }
        if (settled || stopped_) co_return;
        pause.expires_after(time_before_retry);
        boost::system::error_code ignored;
        co_await pause.async_wait(boost::asio::redirect_error(awaiting, ignored));
    }
}

}  // namespace parley::webhook

#include "store/sql/deliveries.hpp"

#include "fields/write.hpp"
#include "store/sql/delivery_changes.hpp"
#include "store/sql/delivery_rows.hpp"
#include "store/sql/people.hpp"
#include "store/sql/webhook_rows.hpp"
#include "store/times.hpp"

namespace parley::store::sql {
namespace {

struct UserDisabledColumn {
    const Statement* in;
    Column<bool> disabled{*in, "disabled"};
};

Result<std::optional<Webhook>> active_endpoint(Connection& connection, const std::string& id)
{
    Query select = connection.query("SELECT users.disabled, " WEBHOOK_COLUMNS
                                    " FROM webhooks CROSS JOIN users ON users.id = webhooks.user"
                                    " WHERE webhooks.id = ?1 AND webhooks.state = 'active'");
    if (!select.bind(id).next() || select[select.columns<UserDisabledColumn>().disabled])
        return std::optional<Webhook>();
    return std::optional(webhook_of(select).webhook);
}

// The next try of an event that is in no log.
std::optional<TimePoint> next_test(Connection& connection, std::int64_t webhook, TimePoint now)
{
    Query select = connection.query(
        "SELECT due_ms FROM deliveries INDEXED BY due_deliveries"
        " WHERE webhook = ?1 AND status = 'pending' AND due_ms > ?2 AND number = 0"
        " ORDER BY due_ms LIMIT 1");
    if (!select.bind(webhook, now).next()) return std::nullopt;
    return select.only<TimePoint>();
}

Result<DueDeliveries> due_in_order(Connection& connection, std::int64_t webhook, TimePoint now)
{
    Query select = connection.query(
        "SELECT " DELIVERY_COLUMNS " FROM deliveries INDEXED BY pending_deliveries" JOIN_WEBHOOK
        " WHERE deliveries.webhook = ?1 AND deliveries.status = 'pending'"
        " AND (deliveries.number > 0 OR deliveries.due_ms <= ?2)"
        " ORDER BY deliveries.number LIMIT 1");
    DueDeliveries due{.deliveries = {}, .next_at = next_test(connection, webhook, now)};
    if (!select.bind(webhook, now).next()) return due;
    KeptDelivery first = delivery_of(select);
    const auto next = first.delivery.next_attempt_at;
    if (first.delivery.tries > 0 && next && *next > now)
        due.next_at = std::min(due.next_at.value_or(*next), *next);
    else
        due.deliveries.push_back(std::move(first.delivery));
    return due;
}

std::vector<Delivery> deliveries_of(Query& select)
{
    std::vector<Delivery> deliveries;
    while (select.next()) deliveries.push_back(delivery_of(select).delivery);
    return deliveries;
}

// In the order of the log.
std::vector<Delivery> first_tries(Connection& connection, std::int64_t webhook, std::size_t most)
{
    Query select = connection.query(
        "SELECT " DELIVERY_COLUMNS " FROM deliveries INDEXED BY due_deliveries" JOIN_WEBHOOK
        " WHERE deliveries.webhook = ?1 AND deliveries.status = 'pending'"
        " AND deliveries.due_ms = 0 ORDER BY deliveries.number LIMIT ?2");
    return deliveries_of(select.bind(webhook, at_most(most)));
}

std::vector<Delivery> due_retries(Connection& connection, std::int64_t webhook, TimePoint now,
                                  std::size_t most)
{
    Query select = connection.query(
        "SELECT " DELIVERY_COLUMNS " FROM deliveries INDEXED BY due_deliveries" JOIN_WEBHOOK
        " WHERE deliveries.webhook = ?1 AND deliveries.status = 'pending'"
        " AND deliveries.due_ms > 0 AND deliveries.due_ms <= ?2"
        " ORDER BY deliveries.due_ms, deliveries.number LIMIT ?3");
    return deliveries_of(select.bind(webhook, now, at_most(most)));
}

// By how long they have been due, but each list in its own order.
std::vector<Delivery> merged(std::vector<Delivery> first, std::vector<Delivery> retries,
                             std::size_t most)
{
    std::vector<Delivery> all;
    auto next_first = first.begin();
    auto next_retry = retries.begin();
    while (all.size() < most && (next_first != first.end() || next_retry != retries.end())) {
        const bool is_retry = next_first == first.end() ||
                              (next_retry != retries.end() &&
                               next_retry->next_attempt_at < std::optional(next_first->created_at));
        all.push_back(std::move(is_retry ? *next_retry++ : *next_first++));
    }
    return all;
}

Result<DueDeliveries> due_of(Connection& connection, const std::string& id, bool ordered,
                             TimePoint now, std::size_t most)
{
    const auto webhook = find_webhook(connection, id);
    if (!webhook) return DueDeliveries();
    if (ordered) return due_in_order(connection, webhook->position, now);
    DueDeliveries due{.deliveries =
                          merged(first_tries(connection, webhook->position, most),
                                 due_retries(connection, webhook->position, now, most), most)};
    Query next = connection.query(
        "SELECT due_ms FROM deliveries INDEXED BY due_deliveries"
        " WHERE webhook = ?1 AND status = 'pending' AND due_ms > ?2 ORDER BY due_ms LIMIT 1");
    if (next.bind(webhook->position, now).next()) due.next_at = next.only<TimePoint>();
    return due;
}

using DeliveryPage = Page<Delivery, Deliveries::Position>;

Result<DeliveryPage> page_after(Connection& connection, const Owner& owner,
                                const std::string& webhook, std::optional<DeliveryStatus> status,
                                Deliveries::Position after, std::size_t limit)
{
    const auto found = find_webhook(connection, owner, webhook);
    if (!found) return not_found("The webhook");
    std::optional<std::string_view> wanted;
    if (status) wanted = fields::name_of(*status);
    Query select = connection.query(
        status ? "SELECT deliveries.position AS page_position, " DELIVERY_COLUMNS
                 " FROM deliveries INDEXED BY deliveries_by_status" JOIN_WEBHOOK
                 " WHERE deliveries.webhook = ?1 AND deliveries.position < ?2"
                 " AND deliveries.status = ?4 ORDER BY deliveries.position DESC LIMIT ?3"
               : "SELECT deliveries.position AS page_position, " DELIVERY_COLUMNS
                 " FROM deliveries INDEXED BY deliveries_of_webhook" JOIN_WEBHOOK
                 " WHERE deliveries.webhook = ?1 AND deliveries.position < ?2"
                 " AND ?4 IS NULL ORDER BY deliveries.position DESC LIMIT ?3");
    select.bind(found->position, after, at_most(limit + 1), wanted);
    return roomy_page_of<Delivery>(
        select, limit,
        [&](const Query& row) {
            KeptDelivery kept = delivery_of(row);
            kept.delivery.attempts = attempts_of_delivery(connection, kept.position);
            return std::move(kept.delivery);
        },
        [](const Delivery& item) {
            std::vector<std::string> texts;
            texts.reserve(item.attempts.size());
            for (const auto& each : item.attempts) texts.push_back(each.response.value_or(""));
            return size_of_texts(texts);
        });
}

Result<std::size_t> remove_old_deliveries(Connection& connection, TimePoint before,
                                          std::size_t most)
{
    Query remove = connection.query(
        "DELETE FROM deliveries WHERE position IN (SELECT position FROM deliveries"
        " INDEXED BY ended_deliveries WHERE ended_ms < ?1 ORDER BY ended_ms LIMIT ?2) AND ended_ms "
        "< ?1");
    return remove.bind(before, at_most(most)).run();
}

}  // namespace

Task<Result<bool>> SqlDeliveries::dispatch(Dispatch dispatch)
{
    for (Delivery& each : dispatch.deliveries)
        each.created_at = to_the_millisecond(each.created_at);
    return writes_.run<bool>([dispatch = std::move(dispatch)](Connection& connection) {
        return dispatch_all(connection, dispatch);
    });
}

Task<Result<Delivery>> SqlDeliveries::add(Owner owner, Delivery delivery)
{
    delivery.created_at = to_the_millisecond(delivery.created_at);
    return writes_.run<Delivery>(
        [owner = std::move(owner), delivery = std::move(delivery)](Connection& connection) {
            return add_one(connection, owner, delivery);
        });
}

Task<Result<std::optional<Webhook>>> SqlDeliveries::endpoint(std::string webhook)
{
    return reads_.run<std::optional<Webhook>>(
        [webhook = std::move(webhook)](Connection& connection) {
            return active_endpoint(connection, webhook);
        });
}

Task<Result<DueDeliveries>> SqlDeliveries::due(std::string webhook, bool ordered, TimePoint now,
                                               std::size_t most)
{
    return reads_.run<DueDeliveries>(
        [webhook = std::move(webhook), ordered, now, most](Connection& connection) {
            return due_of(connection, webhook, ordered, now, most);
        });
}

Task<Result<std::optional<Webhook>>> SqlDeliveries::settle(DeliveryEnd end)
{
    end.attempt.at = to_the_millisecond(end.attempt.at);
    return writes_.run<std::optional<Webhook>>(
        [end = std::move(end)](Connection& connection) { return settle_one(connection, end); });
}

Task<Result<bool>> SqlDeliveries::give_up(std::string webhook, TimePoint now)
{
    const auto found = co_await reads_.run<bool>(
        [webhook](Connection& connection) { return has_to_give_up(connection, webhook); });
    if (!found) co_return found.error();
    if (!*found) co_return false;
    co_return co_await writes_.run<bool>(
        [webhook, now](Connection& connection) { return give_up_some(connection, webhook, now); });
}

Task<Result<Delivery>> SqlDeliveries::find(Owner owner, std::string webhook, std::string id)
{
    return reads_.run<Delivery>([owner = std::move(owner), webhook = std::move(webhook),
                                 id = std::move(id)](Connection& connection) -> Result<Delivery> {
        const auto found = find_webhook(connection, owner, webhook);
        if (!found) return not_found("The webhook");
        return with_attempts(connection, found->position, id);
    });
}

Task<Result<DeliveryPage>> SqlDeliveries::list(Owner owner, std::string webhook,
                                               std::optional<DeliveryStatus> status,
                                               std::optional<Position> after, std::size_t limit)
{
    const Position from = after.value_or(std::numeric_limits<Position>::max());
    return reads_.run<DeliveryPage>([owner = std::move(owner), webhook = std::move(webhook), status,
                                     from, limit](Connection& connection) {
        return page_after(connection, owner, webhook, status, from, limit);
    });
}

Task<Result<Delivery>> SqlDeliveries::redeliver(Owner owner, std::string webhook, std::string id)
{
    return writes_.run<Delivery>([owner = std::move(owner), webhook = std::move(webhook),
                                  id = std::move(id)](Connection& connection) {
        return redeliver_one(connection, owner, webhook, id);
    });
}

Task<Result<Replayed>> SqlDeliveries::replay(Replay replay)
{
    for (Delivery& each : replay.deliveries) each.created_at = to_the_millisecond(each.created_at);
    return writes_.run<Replayed>([replay = std::move(replay)](Connection& connection) {
        return replay_some(connection, replay);
    });
}

Task<Result<std::size_t>> SqlDeliveries::sweep(TimePoint before, std::size_t most)
{
    return writes_.run<std::size_t>([before, most](Connection& connection) {
        return remove_old_deliveries(connection, before, most);
    });
}

}  // namespace parley::store::sql

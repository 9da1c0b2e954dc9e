#include "store/sql/delivery_rows.hpp"

#include "fields/write.hpp"

namespace parley::store::sql {
namespace {

struct DeliveryColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> id{*in, "id"};
    Column<std::string> webhook{*in, "webhook_id"};
    Column<std::string> event{*in, "event"};
    Column<std::string> event_type{*in, "event_type"};
    Column<std::int64_t> number{*in, "number"};
    Column<std::string> body{*in, "body"};
    Column<std::string> subject{*in, "subject"};
    Column<std::string> parent{*in, "parent"};
    Column<DeliveryStatus> status{*in, "status"};
    Column<std::int64_t> tries{*in, "tries"};
    Column<std::optional<std::int64_t>> due{*in, "due_ms"};
    Column<TimePoint> created_at{*in, "created_ms"};
};

struct DeliveryAttemptColumns {
    const Statement* in;
    Column<TimePoint> at{*in, "at_ms"};
    Column<std::optional<std::int64_t>> status{*in, "status"};
    Column<std::int64_t> duration{*in, "duration_ms"};
    Column<std::optional<DeliveryError>> error{*in, "error"};
    Column<std::optional<std::string>> response{*in, "response"};
};

std::int64_t last_attempt(Connection& connection, std::int64_t position)
{
    Query select = connection.query(
        "SELECT number FROM delivery_attempts WHERE delivery = ?1 ORDER BY number DESC LIMIT 1");
    if (!select.bind(position).next()) return 0;
    return select.only<std::int64_t>();
}

}  // namespace

KeptDelivery delivery_of(const Query& row)
{
    const auto& at = row.columns<DeliveryColumns>();
    KeptDelivery kept{row[at.position],
                      {.id = row[at.id],
                       .webhook = row[at.webhook],
                       .event = row[at.event],
                       .event_type = row[at.event_type],
                       .number = row[at.number],
                       .body = row[at.body],
                       .subject = row[at.subject],
                       .parent = row[at.parent],
                       .created_at = row[at.created_at],
                       .status = row[at.status],
                       .tries = row[at.tries]}};
    if (const auto due = row[at.due])
        kept.delivery.next_attempt_at = std::max(from_ms(*due), kept.delivery.created_at);
    return kept;
}

std::optional<KeptDelivery> find_delivery(Connection& connection, std::int64_t webhook,
                                          const std::string& id)
{
    Query select = connection.query("SELECT " DELIVERY_COLUMNS " FROM deliveries" JOIN_WEBHOOK
                                    " WHERE deliveries.id = ?1 AND deliveries.webhook = ?2");
    if (!select.bind(id, webhook).next()) return std::nullopt;
    return delivery_of(select);
}

bool insert_delivery(Connection& connection, std::int64_t webhook, const Delivery& delivery)
{
    Query insert = connection.query(
        "INSERT INTO deliveries (id, webhook, event, event_type, number, body, subject, parent,"
        " status, tries, due_ms, created_ms)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'pending', 0, 0, ?9) ON CONFLICT DO NOTHING");
    insert.bind(delivery.id, webhook, delivery.event, delivery.event_type, delivery.number,
                delivery.body, delivery.subject, delivery.parent, delivery.created_at);
    return insert.run() > 0;
}

void queue_again(Connection& connection, std::int64_t position)
{
    Query update = connection.query(
        "UPDATE deliveries SET status = 'pending', tries = 0, due_ms = 0, ended_ms = NULL"
        " WHERE position = ?1");
    update.bind(position).run();
}

std::vector<DeliveryAttempt> attempts_of_delivery(Connection& connection, std::int64_t position)
{
    Query select = connection.query(
        "SELECT at_ms, status, duration_ms, error, response FROM delivery_attempts"
        " WHERE delivery = ?1 ORDER BY number");
    select.bind(position);
    std::vector<DeliveryAttempt> attempts;
    while (select.next()) {
        const auto& at = select.columns<DeliveryAttemptColumns>();
        attempts.push_back({.at = select[at.at],
                            .status = select[at.status],
                            .duration = std::chrono::milliseconds(select[at.duration]),
                            .error = select[at.error],
                            .response = select[at.response]});
    }
    return attempts;
}

void add_attempt(Connection& connection, std::int64_t position, const DeliveryAttempt& attempt)
{
    const std::int64_t number = last_attempt(connection, position) + 1;
    std::optional<std::string_view> error;
    if (attempt.error) error = fields::name_of(*attempt.error);
    {
        Query insert = connection.query(
            "INSERT INTO delivery_attempts"
            " (delivery, number, at_ms, status, duration_ms, error, response)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
        insert.bind(position, number, attempt.at, attempt.status,
                    static_cast<std::int64_t>(attempt.duration.count()), error, attempt.response);
        insert.run();
    }
    Query remove =
        connection.query("DELETE FROM delivery_attempts WHERE delivery = ?1 AND number <= ?2");
    remove.bind(position, number - attempts_kept).run();
}

}  // namespace parley::store::sql

#include "store/postgres/connection.hpp"
#include "store/postgres/query_dialect.hpp"
#include "store/postgres/types.hpp"

#include <charconv>
#include <memory>
#include <regex>
#include <stdexcept>
#include <utility>

namespace parley::store::postgres {
namespace {

std::int64_t from_network_order(std::string_view bytes)
{
    const bool is_negative = !bytes.empty() && (bytes.front() & 0x80) != 0;
    std::uint64_t value = is_negative ? ~std::uint64_t{0} : 0;
    for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(value);
}

// The integral part of a numeric, which sum() of bigint returns: number of digits, weight of the
// first one, sign and scale, then digits of base 10,000.
std::int64_t from_numeric(std::string_view bytes)
{
    const auto word = [&](std::size_t index) {
        return from_network_order(bytes.substr(index * 2, 2));
    };
    constexpr std::size_t head = 4;
    const std::int64_t count = word(0);
    const std::int64_t weight = word(1);
    std::int64_t value = 0;
    for (std::int64_t i = 0; i <= weight; ++i)
        value = value * 10'000 + (i < count ? word(head + static_cast<std::size_t>(i)) : 0);
    return word(2) == 0 ? value : -value;
}

}  // namespace

PostgresStatement::PostgresStatement(PostgresConnection& connection, const char* sql)
    : connection_(connection), sql_(sql)
{
}

PostgresStatement::Parameter& PostgresStatement::parameter(int number)
{
    const auto count = static_cast<std::size_t>(number);
    if (parameters_.size() < count) parameters_.resize(count);
    return parameters_[count - 1];
}

void PostgresStatement::bind(int number, std::int64_t value)
{
    Parameter& bound = parameter(number);
    bound.type = type_bigint;
    bound.is_null = false;
    bound.number = to_network_order(value);
    bound.bytes = {};
}

void PostgresStatement::bind(int number, std::string_view text) { bind(number, sql::Blob{text}); }

void PostgresStatement::bind(int number, sql::Blob blob)
{
    Parameter& bound = parameter(number);
    bound.type = type_bytea;
    bound.is_null = false;
    bound.bytes = blob.bytes.data() ? blob.bytes : std::string_view("");
}

void PostgresStatement::bind_null(int number, sql::Type type)
{
    Parameter& bound = parameter(number);
    bound.type = type == sql::Type::integer ? type_bigint : type_bytea;
    bound.is_null = true;
}

void PostgresStatement::bind_activity(int number)
{
    bind_null(number, sql::Type::integer);
    parameter(number).is_activity = true;
}

// The sequence replaces a parameter that is the next number of activity.
std::string PostgresStatement::text() const
{
    std::string text = translated_query(sql_);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        if (!parameters_[i].is_activity) continue;
        const std::regex name("\\$" + std::to_string(i + 1) + "\\b");
        text = std::regex_replace(text, name, "nextval('activity')");
    }
    return text;
}

void PostgresStatement::execute(Variant& variant, const std::string& returning)
{
    if (!variant.is_prepared) {
        variant.name = connection_.new_statement_name();
        std::vector<Oid> types;
        types.reserve(parameters_.size());
        for (const Parameter& each : parameters_) types.push_back(each.type);
        connection_.link_.send_prepare(variant.name, text() + returning, types);
    }
    send(variant);
    result_ = connection_.link_.answer();
    variant.is_prepared = true;
    row_ = -1;
    if (std::string_view(libpq().PQcmdStatus(result_.get())).starts_with("SELECT")) return;
    if (changed() > 0) connection_.note_change();
}

void PostgresStatement::send(const Variant& variant, Link::Place wanted)
{
    std::vector<const char*> values;
    std::vector<int> sizes;
    for (const Parameter& each : parameters_) {
        const std::string_view bytes = each.type == type_bigint ? each.number : each.bytes;
        values.push_back(each.is_null ? nullptr : bytes.data());
        sizes.push_back(static_cast<int>(bytes.size()));
    }
    connection_.link_.send_prepared(variant.name, values, sizes, std::move(wanted));
}

void PostgresStatement::note_sent()
{
    if (!std::string_view(sql_).starts_with("SELECT")) connection_.note_change();
}

// Whether a statement was prepared is known only with an answer, so that its first use waits.
void PostgresStatement::send()
{
    if (!plain_.is_prepared) return execute(plain_, "");
    send(plain_);
    note_sent();
}

void PostgresStatement::ask()
{
    if (!plain_.is_prepared) return execute(plain_, "");
    asked_ = std::make_shared<ResultPtr>();
    send(plain_, asked_);
    note_sent();
}

// A later query may have got its answer already.
void PostgresStatement::take_asked()
{
    if (!*asked_) connection_.link_.answer();
    result_ = std::move(*asked_);
    asked_.reset();
    row_ = -1;
}

bool PostgresStatement::next()
{
    if (asked_) take_asked();
    if (!result_) execute(plain_, "");
    return ++row_ < libpq().PQntuples(result_.get());
}

std::size_t PostgresStatement::changed() const
{
    const std::string_view count = libpq().PQcmdTuples(result_.get());
    std::size_t value = 0;
    std::from_chars(count.data(), count.data() + count.size(), value);
    return value;
}

std::optional<std::int64_t> PostgresStatement::insert()
{
    std::string returning;
    if (!returning_.is_prepared)
        returning = " RETURNING " + connection_.row_number_of(table_of_insert(sql_));
    execute(returning_, returning);
    row_ = 0;
    if (libpq().PQntuples(result_.get()) == 0) return std::nullopt;
    return integer(0);
}

void PostgresStatement::reset()
{
    asked_.reset();
    result_.reset();
    row_ = -1;
    for (Parameter& each : parameters_) each.is_null = true;
}

bool PostgresStatement::is_null(int column) const
{
    return libpq().PQgetisnull(result_.get(), row_, column) != 0;
}

std::int64_t PostgresStatement::integer(int column) const
{
    if (is_null(column)) return 0;
    const std::string_view value = bytes(column);
    if (libpq().PQftype(result_.get(), column) == type_numeric) return from_numeric(value);
    return from_network_order(value);
}

std::string_view PostgresStatement::bytes(int column) const
{
    return {libpq().PQgetvalue(result_.get(), row_, column),
            static_cast<std::size_t>(libpq().PQgetlength(result_.get(), row_, column))};
}

int PostgresStatement::column(std::string_view name) const
{
    for (int i = 0; result_ && i < libpq().PQnfields(result_.get()); ++i)
        if (name == libpq().PQfname(result_.get(), i)) return i;
    throw std::logic_error("no column " + std::string(name) + " in: " + sql_);
}

}  // namespace parley::store::postgres

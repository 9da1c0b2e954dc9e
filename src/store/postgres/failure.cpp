#include "store/postgres/failure.hpp"

#include <algorithm>
#include <array>

namespace parley::store::postgres {
namespace {

using Kind = sql::Failure::Kind;

template <std::size_t Size>
bool is_one_of(std::string_view state, const std::array<std::string_view, Size>& states)
{
    return std::ranges::find(states, state) != states.end();
}

bool ends_connection(std::string_view state)
{
    // Shut down, crashed, starting, too many connections, terminated for idling, only readable.
    static constexpr auto states = std::to_array<std::string_view>(
        {"57P01", "57P02", "57P03", "53300", "57P05", "25P03", "25006"});
    return state.starts_with("08") || is_one_of(state, states);
}

Kind kind_of(std::string_view state)
{
    if (state == "53100") return Kind::full;
    if (state.starts_with("XX001") || state.starts_with("XX002")) return Kind::damage;
    const bool is_fault_of_the_server = ends_connection(state) || state.starts_with("53") ||
                                        state.starts_with("57") || state.starts_with("58") ||
                                        state.starts_with("55") || state.starts_with("XX");
    return is_fault_of_the_server ? Kind::other : Kind::query;
}

}  // namespace

Failure::Failure(std::string_view state, const std::string& what)
    : sql::Failure(kind_of(state), what + " (" + std::string(state) + ")"), state_(state)
{
}

bool Failure::is_lost() const { return ends_connection(state_); }

bool Failure::is_conflict() const
{
    // Serialization, deadlock, a row that another transaction removed or added after it was looked
    // up.
    static constexpr auto states =
        std::to_array<std::string_view>({"40001", "40P01", "23503", "23505"});
    return is_one_of(state_, states);
}

Error to_error(const sql::Failure& failure)
{
    if (failure.kind() == Kind::query)
        return {Errc::internal, "a query of the store failed", failure.what()};
    if (failure.kind() == Kind::full)
        return {Errc::storage_unavailable, "The disk of the server's database is full.",
                failure.what()};
    return unavailable_error(failure.what());
}

Error unavailable_error(std::string detail)
{
    return {Errc::storage_unavailable, "The server's storage is not available.", std::move(detail)};
}

}  // namespace parley::store::postgres

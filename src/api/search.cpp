// Search in a user's own messages over HTTP.
#include "api/wire/search.hpp"

#include "api/api.hpp"
#include "api/cursor.hpp"
#include "api/list_page.hpp"
#include "api/page_position.hpp"
#include "api/run_answers.hpp"
#include "api/times.hpp"
#include "base/rfc3339.hpp"
#include "store/store.hpp"

namespace parley::api {
namespace {

constexpr std::size_t most_words = 64;

SearchHitView hit_view(const store::FoundMessage& found)
{
    SearchHitView shown{.message_id = found.message,
                        .session_id = found.session,
                        .session_title = found.session_title,
                        .role = found.speaker,
                        .created_at = rfc3339(found.created_at),
                        .snippet = found.snippet.text,
                        .marks = {}};
    for (const auto& [begin, end] : found.snippet.marks)
        shown.marks.push_back({static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)});
    return shown;
}

struct WantedMessages {
    search::Query query;
    store::SearchFilter filter;
};

Result<WantedMessages> wanted_of(const SearchQuery& query)
{
    Faults faults;
    WantedMessages wanted{.query = search::Query::parse(query.q),
                          .filter = {.session = query.session_id,
                                     .speaker = query.role,
                                     .since = time_of(query.since, "since", faults),
                                     .before = time_of(query.before, "before", faults)}};
    std::size_t words = 0;
    for (const search::Term& term : wanted.query.terms()) words += term.words.size();
    if (words > most_words)
        faults.push_back(
            {"q", "too_long", "must have at most 64 words", Fault::Location::parameter});
    if (!faults.empty()) return validation_failed(std::move(faults));
    return wanted;
}

// A cursor is valid for this owner and this search only.
std::string list_of(const Owner& owner, const SearchQuery& query)
{
    SearchQuery same = query;
    same.limit = 0;
    same.after.reset();
    return "search " + owner.user + (owner.test ? " test " : " ") + fields::write(same);
}

Task<Result<ListPage<SearchHitView>>> search_messages(store::Store& store, Cursors& cursors,
                                                      With<auth::Scope::chat_read> caller,
                                                      Query<SearchQuery> query)
{
    Owner owner = owner_of(caller);
    auto wanted = wanted_of(query);
    if (!wanted) co_return wanted.error();
    const PagePosition place(list_of(owner, query), cursors);
    const auto after = place.of({.limit = query.limit, .after = query.after});
    if (!after) co_return after.error();
    const auto page = co_await store.search().find(std::move(owner), std::move(wanted->query),
                                                   std::move(wanted->filter), *after,
                                                   static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<SearchHitView>(*page, hit_view);
}

}  // namespace

std::vector<Route> search_routes()
{
    return {
        route<search_messages>(
            "GET", "/v1/api/search", "searchMessages", "Search in your messages, newest first",
            description(
                "Finds messages of all branches that contain all words. Case and accents do not "
                "matter. Scripts that are written without spaces are searched by characters. There "
                "are no operators: all other characters separate words.\n\nA message can be found "
                "within 2 seconds after it was stored, and never after its session was deleted."),
            may_fail(Errc::invalid_cursor)),
    };
}

}  // namespace parley::api

// GET /v1/responses/{response}/input_items: the conversation above an answer.
#include "api/response_routes.hpp"
#include "api/response_view.hpp"
#include "api/run_answers.hpp"
#include "api/stored_items.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace parley::api {
namespace {

Error no_such_item()
{
    return validation_failed({{.where = "after",
                               .code = "not_found",
                               .detail = "there is no such item",
                               .place = Fault::Location::parameter}});
}

// Whether a message is in the conversation above an answer, its question included.
Task<Result<bool>> is_above(store::Store& store, const Owner& owner,
                            const store::RunWithMessages& run, const store::Message& message)
{
    if (message.session != run.run.session || message.depth > run.question.depth) co_return false;
    std::optional<std::int64_t> before;
    if (message.depth > 0) before = message.depth - 1;
    const auto read = co_await store.messages().list_branch(owner, message.session, run.question.id,
                                                            true, before, 1);
    if (!read) co_return read.error();
    co_return !read->page.items.empty() && read->page.items.front().message.id == message.id;
}

// The depth of the message after which the page begins.
Task<Result<std::optional<std::int64_t>>> position_of(store::Store& store, const Owner& owner,
                                                      const store::RunWithMessages& run,
                                                      const std::optional<std::string>& after)
{
    if (!after) co_return std::optional<std::int64_t>();
    const auto found = co_await store.messages().find_message(owner, message_of_item(*after));
    if (!found && found.error().code == Errc::not_found) co_return no_such_item();
    if (!found) co_return found.error();
    const auto above = co_await is_above(store, owner, run, found->message);
    if (!above) co_return above.error();
    if (!*above) co_return no_such_item();
    co_return std::optional(found->message.depth);
}

Task<Result<ResponseItemList>> list_input_items(store::Store& store, const engine::Models& models,
                                                With<auth::Scope::chat_read> caller,
                                                Path<ResponsePath> path,
                                                Query<ResponseItemsQuery> query)
{
    const Owner owner = owner_of(caller);
    const auto run = co_await store.runs().find_run(owner, run_of_response(path.response));
    if (!run && run.error().code == Errc::not_found) co_return not_found("The response");
    if (!run) co_return run.error();
    const auto after = co_await position_of(store, owner, *run, query.after);
    if (!after) co_return after.error();
    const bool oldest_first = query.order == ItemOrder::asc;
    const auto read = co_await store.messages().list_branch(owner, run->run.session,
                                                            run->question.id, oldest_first, *after,
                                                            static_cast<std::size_t>(query.limit));
    if (!read) co_return read.error();
    ResponseItemList list{.has_more = read->page.next.has_value()};
    StoredItems stored(store, models, owner);
    for (const auto& placed : read->page.items) {
        auto items = co_await stored.of(placed.message);
        if (!items) co_return items.error();
        if (!oldest_first) std::ranges::reverse(*items);
        std::ranges::move(*items, std::back_inserter(list.data));
    }
    if (!list.data.empty()) {
        list.first_id = list.data.front().id;
        list.last_id = list.data.back().id;
    }
    co_return list;
}

}  // namespace

Route response_items_route()
{
    return route<list_input_items>(
        "GET", "/v1/responses/{response}/input_items", "listInputItems",
        "List the input of a response", lenient, openai_errors,
        description(
            "The messages of the whole conversation up to the question, newest first, with calls "
            "of functions and their results as items of their own."));
}

}  // namespace parley::api

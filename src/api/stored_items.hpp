// Stored messages as the items of responses: a message with calls of functions, or with their
// results, is several items.
//
// Threads: the loop of the request. Store, models and owner must outlive it.
#pragma once

#include "api/response_items.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "engine/models.hpp"
#include "engine/question_turn.hpp"
#include "store/store.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace parley::api {

class StoredItems {
public:
    StoredItems(store::Store& store, const engine::Models& models, const Owner& owner)
        : store_(store), models_(models), owner_(owner)
    {
    }

    // In the order in which they were written. Fails as the store does.
    Task<Result<std::vector<ResponseItem>>> of(const store::Message& message);

    // The items of the message with this id. Fails with not_found, and as the store does.
    Task<Result<std::vector<ResponseItem>>> of_message(std::string id);

private:
    Task<Result<AnswerForm>> form_of_answer(const store::Message& answer);
    Task<Result<std::vector<ResponseItem>>> of_answer(const store::Message& answer);
    Task<Result<std::vector<ResponseItem>>> of_question(const store::Message& question);
    Task<Result<std::vector<std::string>>> calls_above(const store::Message& question);
    Task<Result<engine::ReadTurn>> results_in(const store::Message& question);

    store::Store& store_;
    const engine::Models& models_;
    const Owner& owner_;
};

// The id of the stored message that an item belongs to.
std::string message_of_item(std::string_view item);

}  // namespace parley::api

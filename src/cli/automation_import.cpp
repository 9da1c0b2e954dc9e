#include "cli/automation_import.hpp"

#include "cli/pages.hpp"
#include "cli/terminal_text.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>
#include <thread>

namespace parley::cli {
namespace {

// A refused request costs nothing.
constexpr std::chrono::seconds time_between_posts{2};

std::string text_in(const boost::json::object& object, std::string_view name)
{
    const auto* found = object.if_contains(name);
    return found && found->is_string() ? boost::json::value_to<std::string>(*found) : std::string();
}

boost::json::object* object_in(boost::json::object& object, std::string_view name)
{
    auto* found = object.if_contains(name);
    return found ? found->if_object() : nullptr;
}

// The automation whose events start it.
std::string heard_automation(const boost::json::object& definition)
{
    const auto* trigger = definition.if_contains("trigger");
    return trigger && trigger->is_object() ? text_in(trigger->as_object(), "automation_id")
                                           : std::string();
}

bool clear(boost::json::object* object, std::string_view name)
{
    if (!object || text_in(*object, name).empty()) return false;
    (*object)[name] = nullptr;
    return true;
}

bool has_passed(const Error& error)
{
    return std::ranges::find(error.faults, "never_fires", &Fault::code) != error.faults.end();
}

}  // namespace

Result<> AutomationImport::run(std::vector<boost::json::object> definitions)
{
    if (auto found = find_existing(); !found) return found;
    const std::size_t all = definitions.size();
    skip_existing(std::move(definitions));
    while (!pending_.empty()) {
        auto next = std::ranges::find_if(pending_, [&](const auto& each) { return !waits(each); });
        if (next == pending_.end()) next = pending_.begin();  // They refer to each other.
        Pending each = std::move(*next);
        pending_.erase(next);
        create(std::move(each));
    }
    if (refused_ == 0) return {};
    return Error{Errc::invalid_request, std::to_string(refused_) + " of " + std::to_string(all) +
                                            " automations could not be created."};
}

Result<> AutomationImport::find_existing()
{
    return for_each_item(opened_.client, automations_path, std::numeric_limits<std::int64_t>::max(),
                         [&](const boost::json::object& each) {
                             existing_.emplace(text_in(each, "name"), text_in(each, "id"));
                             return true;
                         });
}

void AutomationImport::skip_existing(std::vector<boost::json::object> definitions)
{
    for (boost::json::object& definition : definitions) {
        Pending each{.name = text_in(definition, "name"), .id = text_in(definition, "id")};
        definition.erase("id");
        const auto known = existing_.find(each.name);
        if (known == existing_.end()) {
            each.definition = std::move(definition);
            pending_.push_back(std::move(each));
            continue;
        }
        std::cerr << "Skipped " << for_terminal(each.name) << ": it already exists.\n";
        if (!each.id.empty()) new_ids_[each.id] = known->second;
        existing_.erase(known);
    }
}

bool AutomationImport::waits(const Pending& each) const
{
    const std::string heard = heard_automation(each.definition);
    return !heard.empty() && heard != each.id &&
           std::ranges::find(pending_, heard, &Pending::id) != pending_.end();
}

// Drops ids that do not exist on this server: without the automation or session of its trigger it
// would hear other events, so it is paused. A session to continue is simply a new one.
bool AutomationImport::drop_references(boost::json::object& definition)
{
    boost::json::object* trigger = object_in(definition, "trigger");
    const bool drops_automation = clear(trigger, "automation_id");
    const bool hears_more = clear(trigger, "session_id") || drops_automation;
    if (hears_more) definition["paused"] = true;
    return clear(object_in(definition, "session"), "session_id") || hears_more;
}

void AutomationImport::create(Pending each)
{
    const auto known = new_ids_.find(heard_automation(each.definition));
    if (known != new_ids_.end())
        each.definition["trigger"].as_object()["automation_id"] = known->second;
    if (paused_) each.definition["paused"] = true;
    auto made = post(each.definition);
    if (!made && made.error().code == Errc::not_found && drop_references(each.definition)) {
        made = post(each.definition);
        if (made)
            std::cerr
                << for_terminal(each.name)
                << ": the session or automation that it refers to does not exist here and was "
                   "left out. Check it before you resume it.\n";
    }
    if (!made && has_passed(made.error())) {
        std::cerr << "Skipped " << for_terminal(each.name) << ": its time is in the past.\n";
    } else if (!made) {
        std::cerr << for_terminal(each.name) << ": " << for_terminal(made.error().message) << '\n';
        ++refused_;
    } else {
        if (!each.id.empty()) new_ids_[each.id] = text_in(*made, "id");
        print_automation(*made, common_);
        if (!common_.json) print_new_secret(*made);
    }
}

Result<boost::json::object> AutomationImport::post(const boost::json::object& definition)
{
    for (bool told = false;; told = true) {
        auto made = opened_.client.ask("POST", automations_path, definition);
        if (made || made.error().code != Errc::rate_limited) return made;
        if (!told) std::cerr << "The rate limit is used up; waiting.\n";
        std::this_thread::sleep_for(time_between_posts);
    }
}

}  // namespace parley::cli

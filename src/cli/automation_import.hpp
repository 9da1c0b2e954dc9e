// `parley automation import`: creates automations from exported definitions. References between
// them are kept: an export has the id of each automation, and an import knows by it which new one
// is meant. An automation of a name that exists already is taken for the same, so that an import
// can be repeated.
#pragma once

#include "cli/automation_arguments.hpp"

#include <map>
#include <string>
#include <vector>

namespace parley::cli {

class AutomationImport {
public:
    AutomationImport(AutomationAccess& opened, const Common& common, bool paused)
        : opened_(opened), common_(common), paused_(paused)
    {
    }

    // Creates what can be created, and reports all else on standard error. Fails if an automation
    // was refused.
    Result<> run(std::vector<boost::json::object> definitions);

private:
    struct Pending {
        boost::json::object definition = {};
        std::string name = {};
        std::string id = {};  // That it had where it was exported; may be empty.
    };

    Result<> find_existing();
    void skip_existing(std::vector<boost::json::object> definitions);
    // Whether it refers to an automation that is still to be created.
    bool waits(const Pending& each) const;
    void create(Pending each);
    // Waits while the rate limit is used up.
    Result<boost::json::object> post(const boost::json::object& definition);
    static bool drop_references(boost::json::object& definition);

    AutomationAccess& opened_;
    const Common& common_;
    const bool paused_;
    std::multimap<std::string, std::string> existing_;  // Name and id; not taken for one yet.
    std::map<std::string, std::string> new_ids_;        // By the id in the export.
    std::vector<Pending> pending_;
    std::size_t refused_ = 0;
};

}  // namespace parley::cli

#include "base/visible.hpp"
#include "cli/output.hpp"
#include "cli/pages.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace parley::cli {
namespace {

struct Asked {
    std::int64_t limit = 20;
    std::string note;
};

void print_event(const boost::json::object& event, const Common& common)
{
    if (common.json) return print_line(event);
    std::cout << shown(event, "at") << "  " << shown(event, "actor") << "  "
              << shown(event, "action") << "  " << shown(event, "target") << "  ("
              << shown(event, "address") << ", " << shown(event, "request_id") << ")\n";
}

Result<> list(const Asked& asked, const Common& common)
{
    auto reached = reach(common);
    if (!reached) return reached.error();
    return for_each_item(*reached, "/v1/api/audit", asked.limit,
                         [&common](const boost::json::object& event) {
                             print_event(event, common);
                             return true;
                         });
}

Result<> leave_note(const Asked& asked, const Common& common)
{
    auto reached = reach(common);
    if (!reached) return reached.error();
    const auto event = reached->ask("POST", "/v1/api/audit", {{"note", asked.note}});
    if (!event) return event.error();
    print_event(*event, common);
    return {};
}

}  // namespace

Run describe_audit(CLI::App& command, const Common& common)
{
    const auto asked = std::make_shared<Asked>();
    command.add_option("--limit", asked->limit, "How many events, the newest first [20]")
        ->type_name("N")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
    CLI::App* note = command.add_subcommand("note", "Leave a note in the audit log.");
    note->add_option("TEXT", asked->note, "What whoever reads the log later should know")
        ->required();
    note->footer("Examples:\n  parley audit note \"Upgraded to 1.4.2\"");
    command.footer(
        "Examples:\n"
        "  parley audit --limit 100\n"
        "  parley audit --json | jq .action\n"
        "  parley audit note \"Upgraded to 1.4.2\"");
    return [asked, note, &common] {
        const auto done = note->parsed() ? leave_note(*asked, common) : list(*asked, common);
        return done ? succeeded : complain(done.error().message, failed, common);
    };
}

}  // namespace parley::cli

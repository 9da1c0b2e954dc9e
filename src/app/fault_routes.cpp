#ifdef PARLEY_FAULTS

#include "app/fault_routes.hpp"

#include "store/faults/disk.hpp"

namespace parley::store::faults {

constexpr auto names_of(Fault)
{
    using fields::Named;
    return std::array{Named{Fault::none, "none"}, Named{Fault::power_cut, "power_cut"},
                      Named{Fault::lost_sync, "lost_sync"}, Named{Fault::disk_full, "disk_full"}};
}

}  // namespace parley::store::faults

namespace parley::app {
namespace {

struct PlannedFault {
    store::faults::Fault fault = store::faults::Fault::none;
    std::int64_t at_operation = 1;
    std::int64_t seed = 0;

    static constexpr auto fields()
    {
        using namespace fields;
        return std::tuple(
            field("fault", &PlannedFault::fault, "The fault."),
            field("at_operation", &PlannedFault::at_operation,
                  "Counted in writes, syncs and truncations from now on.", range(1, 1e9),
                  defaults_to(1)),
            field("seed", &PlannedFault::seed, "Seed that chooses what a power cut loses.",
                  range(0, 1e9), defaults_to(0)));
    }
};

Result<> plan_fault(api::Body<PlannedFault> body)
{
    store::faults::set({.fault = body.fault,
                        .at_operation = static_cast<std::uint64_t>(body.at_operation),
                        .seed = static_cast<std::uint64_t>(body.seed)});
    return {};
}

}  // namespace

std::vector<api::Route> fault_routes()
{
    return {
        api::route<plan_fault>("POST", "/test/faults", "planFault", "Break the disk", api::open)};
}

}  // namespace parley::app

#endif

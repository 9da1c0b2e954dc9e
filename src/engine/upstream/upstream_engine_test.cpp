#include "engine/upstream/upstream_engine.hpp"

#include "engine/engine_contract.hpp"
#include "engine/upstream/engine_on_loops_for_tests.hpp"
#include "engine/upstream/mock_for_tests.hpp"

namespace parley::engine::upstream {
namespace {

struct MakesUpstream {
    MockUpstream mock;
    http::Loops loops{2, system_clock()};
    http::client::Clients clients{loops};

    std::unique_ptr<Engine> open()
    {
        UpstreamOptions options{
            .name = "m", .servers = {}, .run_timeout = std::chrono::seconds(300)};
        options.servers.push_back({.url = mock.url(), .model = "there", .key = Secret("k")});
        return std::make_unique<EngineOnLoops>(loops,
                                               make_upstream_engine(clients, std::move(options)));
    }

    static Prompt saying(std::string text)
    {
        return {.instructions = "Be brief.", .turns = {{Speaker::user, std::move(text)}}};
    }
    static Prompt talkative() { return saying("talk"); }
    static Prompt slow() { return saying("slow"); }
    static std::optional<Prompt> failing_at_once() { return saying("fail"); }
    static std::optional<Prompt> failing_midway() { return saying("fail midway"); }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Upstream, EngineContract, MakesUpstream);

}  // namespace
}  // namespace parley::engine::upstream

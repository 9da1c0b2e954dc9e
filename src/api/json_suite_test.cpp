// JSONTestSuite as request bodies, if it is in shared/suites/json-parsing of a folder above this
// program: invalid JSON gets 400, valid JSON is never refused as invalid, and no response is a 5xx.
#include "api/pipeline_for_tests.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace parley::api {
namespace {

namespace fs = std::filesystem;

struct Anything {
    boost::json::value value;

    static constexpr auto fields()
    {
        return std::tuple(fields::field("value", &Anything::value, "Whatever it may be."));
    }
};

Result<> take(Body<Anything> /*body*/) { return {}; }

fs::path suite()
{
    fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    for (; folder != folder.root_path(); folder = folder.parent_path())
        if (fs::exists(folder / "shared/suites/json-parsing"))
            return folder / "shared/suites/json-parsing";
    return {};
}

// The API refuses duplicate keys; the suite accepts them.
const std::set<std::string> refused_although_y{
    "y_object_duplicated_key.json",
    "y_object_duplicated_key_and_value.json",
};

TEST(JsonSuite, IsAnsweredAsTheContractAsks)
{
    if (suite().empty()) GTEST_SKIP() << "the suite is not here";
    TestedPipeline tested({route<take>("POST", "/", "take", "Takes anything", open)});
    int files = 0;
    for (const auto& entry : fs::directory_iterator(suite())) {
        if (entry.path().extension() != ".json") continue;
        const std::string name = entry.path().filename();
        std::ifstream file(entry.path(), std::ios::binary);
        const auto response =
            tested.post_json("/", std::string(std::istreambuf_iterator<char>(file), {}));
        const bool not_json = name.starts_with("n_") || refused_although_y.contains(name);
        if (not_json) EXPECT_EQ(response.status, 400) << name;
        if (not_json) EXPECT_EQ(code_of(response), "invalid_json") << name;
        if (name.starts_with("y_") && !not_json) EXPECT_NE(response.status, 400) << name;
        EXPECT_LT(response.status, 500) << name;
        ++files;
    }
    EXPECT_GT(files, 300);
}

}  // namespace
}  // namespace parley::api

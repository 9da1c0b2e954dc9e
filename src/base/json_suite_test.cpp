// JSONTestSuite, if it is in shared/suites/json-parsing of a folder above this program: texts that
// every parser must accept (y_), texts that it must refuse (n_), and our choice for the others
// (i_).
#include "base/json.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace parley::json {
namespace {

namespace fs = std::filesystem;

// The suite accepts duplicate keys. Parley refuses them, because readers disagree on which one
// counts.
const std::set<std::string> refused_although_y{
    "y_object_duplicated_key.json",
    "y_object_duplicated_key_and_value.json",
};

// Numbers that a double holds, though not exactly. All other i_ files are refused: half surrogate
// pairs, bytes that are not UTF-8, byte order marks, numbers beyond a double, 500 levels.
const std::set<std::string> accepted_of_i{
    "i_number_double_huge_neg_exp.json",   "i_number_real_underflow.json",
    "i_number_too_big_neg_int.json",       "i_number_too_big_pos_int.json",
    "i_number_very_big_negative_int.json",
};

fs::path suite()
{
    fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    for (; folder != folder.root_path(); folder = folder.parent_path())
        if (fs::exists(folder / "shared/suites/json-parsing"))
            return folder / "shared/suites/json-parsing";
    return {};
}

bool is_expected(const std::string& name)
{
    if (name.starts_with("y_")) return !refused_although_y.contains(name);
    return accepted_of_i.contains(name);
}

TEST(JsonSuite, IsReadAsItAsks)
{
    if (suite().empty()) GTEST_SKIP() << "the suite is not here";
    int files = 0;
    for (const auto& entry : fs::directory_iterator(suite())) {
        if (entry.path().extension() != ".json") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        const std::string name = entry.path().filename();
        const auto parsed = parse(text);
        EXPECT_EQ(parsed.has_value(), is_expected(name))
            << name << ": " << (parsed ? "accepted" : parsed.error().message);
        ++files;
    }
    EXPECT_GT(files, 300);
}

}  // namespace
}  // namespace parley::json

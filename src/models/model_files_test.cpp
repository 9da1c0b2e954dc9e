#include "models/model_files.hpp"

#include "app/folder_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::models {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ModelFilesTest : public testing::Test {
protected:
    ModelFilesTest() { fs::create_directory(data); }

    const app::FolderForTests folder;
    const fs::path data = folder.path() / "data";
    const fs::path source = folder.file("source.gguf", "weights");
};

TEST_F(ModelFilesTest, AreThoseOfTheDataDirectory)
{
    EXPECT_TRUE(model_files(data).empty());
    const auto added = add_model_file(data, source, "mine", Adding::copy);
    ASSERT_TRUE(added) << added.error().message;
    EXPECT_EQ(added->path, data / "models" / "mine.gguf");
    EXPECT_EQ(fs::file_size(added->path), 7U);
    EXPECT_EQ(fs::status(added->path).permissions(), fs::perms(0600));
    EXPECT_EQ(fs::status(data / "models").permissions(), fs::perms(0700));

    folder.file("data/models/b.gguf", "");
    folder.file("data/models/-.gguf", "");
    folder.file("data/models/c.txt", "");
    folder.file("data/models/d.part", "");
    const auto files = model_files(data);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].name, "b");
    EXPECT_EQ(files[1].name, "mine");
    EXPECT_FALSE(files[1].embedded);
    EXPECT_EQ(find_model_file(data, "mine")->path, added->path);
    EXPECT_FALSE(find_model_file(data, "c"));
}

TEST_F(ModelFilesTest, AreNeverReplaced)
{
    ASSERT_TRUE(add_model_file(data, source, "mine", Adding::link));
    EXPECT_EQ(fs::read_symlink(data / "models" / "mine.gguf"), source);
    const auto again = add_model_file(data, source, "mine", Adding::copy);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, Errc::conflict);
    EXPECT_FALSE(add_model_file(data, source, "scripted", Adding::copy));
}

TEST_F(ModelFilesTest, LeaveNothingBehindWhereTheyCannotBeBrought)
{
    const auto missing = add_model_file(data, folder.path() / "nowhere", "mine", Adding::copy);
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("No such file"));
    EXPECT_TRUE(fs::is_empty(data / "models"));
}

TEST_F(ModelFilesTest, OfTheProgramAreBesideABuildOrInTheShareOfAnInstallation)
{
    const fs::path program = folder.path() / "usr/bin/parley";
    EXPECT_FALSE(embedded_model_file(program));
    EXPECT_FALSE(embedded_model_file({}));
    fs::create_directories(folder.path() / "usr/share/parley/models");
    const fs::path installed = folder.file("usr/share/parley/models/smollm2-135m.gguf", "weights");
    EXPECT_EQ(embedded_model_file(program), installed);
    fs::create_directories(folder.path() / "usr/bin/models");
    const fs::path built = folder.file("usr/bin/models/smollm2-135m.gguf", "weights");
    EXPECT_EQ(embedded_model_file(program), built);
}

}  // namespace
}  // namespace parley::models

#include "app/local_models.hpp"

#include "app/folder_for_tests.hpp"
#include "app/model_files.hpp"
#include "engine/gguf/gguf_for_tests.hpp"
#include "engine/gguf/memory_need.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::app {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t plenty = std::uint64_t{1} << 40U;

class LocalModelsTest : public testing::Test {
protected:
    LocalModelsTest()
    {
        settings.data = folder.path() / "data";
        settings.model_default = "scripted";
    }
    void add(const std::string& name) const
    {
        ASSERT_TRUE(add_model_file(settings.data, sound, name, Adding::link));
    }

    const FolderForTests folder;
    const std::string sound = folder.file("sound.gguf", engine::gguf::ModelForTests().bytes());
    Settings settings;
};

TEST_F(LocalModelsTest, AreTakenWhereThereIsAFile)
{
    settings.models["a"].context = 100;
    settings.models["a"].llama.threads = 3;
    settings.models["a"].llama.memory.slots = 4;
    settings.models["b"].llama.path = sound;
    settings.models["c"].engine = "scripted";
    settings.models["c"].llama.path = sound;
    EXPECT_EQ(engine_of("a", settings), "scripted");
    EXPECT_EQ(engine_of("b", settings), "llama");
    EXPECT_EQ(engine_of("c", settings), "scripted");
    add("a");
    EXPECT_EQ(engine_of("a", settings), "llama");

    const auto models = local_models(settings);
    ASSERT_TRUE(models);
    ASSERT_EQ(models->size(), 2U);
    EXPECT_EQ((*models)[0].name, "a");
    EXPECT_EQ((*models)[0].options.memory.context, 100U);
    EXPECT_EQ((*models)[0].options.threads, 3);
    EXPECT_EQ((*models)[0].options.memory.slots, 4U);
    EXPECT_EQ((*models)[1].options.threads, 0);
    EXPECT_EQ((*models)[1].options.path, sound);
}

TEST_F(LocalModelsTest, AreThoseOfTheDataDirectoryToo)
{
    add("mine");
    const auto models = local_models(settings);
    ASSERT_TRUE(models);
    EXPECT_EQ(models->size(), can_run_models ? 1U : 0U);
}

TEST_F(LocalModelsTest, NeedAFile)
{
    settings.models["a"].engine = "llama";
    EXPECT_THAT(local_models(settings).error().message,
                HasSubstr("models.a.path: the model needs a GGUF file."));
}

TEST_F(LocalModelsTest, AreTheDefaultWhereTheEmbeddedOneIsThere)
{
    EXPECT_EQ(default_model(settings), "scripted");
    settings.model_default = "";
    EXPECT_EQ(default_model(settings), can_run_models ? "scripted" : embedded_model);
    settings.model_default = "mine";
    EXPECT_EQ(default_model(settings), "mine");
}

TEST_F(LocalModelsTest, AreExaminedAndMustFitTogether)
{
    const LocalModel model{.name = "a", .options = {.path = sound}};
    const std::vector<LocalModel> two = {model, {.name = "b", .options = {.path = sound}}};
    EXPECT_TRUE(check_local_models(two, plenty));
    const auto facts = engine::gguf::examine(std::filesystem::path(sound));
    const std::uint64_t need = engine::gguf::memory_need(*facts, 2048).with(1);
    EXPECT_TRUE(check_local_models({{model}}, need));
    EXPECT_THAT(check_local_models(two, need).error().message,
                HasSubstr("The model b cannot be loaded. It needs "));
    const LocalModel broken{.name = "c", .options = {.path = folder.file("broken", "GGUF")}};
    EXPECT_THAT(check_local_models({{broken}}, plenty).error().message,
                HasSubstr("The model c cannot be loaded. "));
    EXPECT_EQ(open_local_model(model).has_error(), true) << "It has the form only";
}

}  // namespace
}  // namespace parley::app

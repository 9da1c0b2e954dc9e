#include "models/local_models.hpp"

#include "app/folder_for_tests.hpp"
#include "engine/gguf/gguf_for_tests.hpp"
#include "engine/gguf/memory_need.hpp"
#include "models/model_files.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::models {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t plenty = std::uint64_t{1} << 40U;

class LocalModelsTest : public testing::Test {
protected:
    LocalModelsTest()
    {
        std::filesystem::create_directory(data);
        options.default_model = "scripted";
    }
    void add(const std::string& name) const
    {
        ASSERT_TRUE(add_model_file(data, sound, name, Adding::link));
    }

    const app::FolderForTests folder;
    const std::string sound = folder.file("sound.gguf", engine::gguf::ModelForTests().bytes());
    const std::filesystem::path data = folder.path() / "data";
    Options options;
};

TEST_F(LocalModelsTest, AreTakenWhereThereIsAFile)
{
    options.named["a"].context = 100;
    options.named["a"].llama.threads = 3;
    options.named["a"].llama.memory.slots = 4;
    options.named["b"].llama.path = sound;
    options.named["c"].engine = "scripted";
    options.named["c"].llama.path = sound;
    EXPECT_EQ(engine_of("a", options, data), "scripted");
    EXPECT_EQ(engine_of("b", options, data), "llama");
    EXPECT_EQ(engine_of("c", options, data), "scripted");
    add("a");
    EXPECT_EQ(engine_of("a", options, data), "llama");

    const auto models = local_models(options, data);
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
    const auto models = local_models(options, data);
    ASSERT_TRUE(models);
    EXPECT_EQ(models->size(), can_run_models ? 1U : 0U);
}

// docs/decisions/0035 has measured them.
TEST_F(LocalModelsTest, SampleByTheirDefaultsAndTheEmbeddedOneByItsOwn)
{
    const std::string name(embedded_model);
    options.named[name] = {.engine = "llama", .llama = {.path = sound}};
    options.named["other"] = {.engine = "llama", .llama = {.path = sound}};
    const auto models = local_models(options, data);
    ASSERT_TRUE(models);
    ASSERT_EQ(models->size(), 2U);
    for (const LocalModel& model : *models) {
        const auto& usual = model.options.usual;
        const bool embedded = model.name == name;
        EXPECT_EQ(usual.temperature, embedded ? 0.1 : 0.7) << model.name;
        EXPECT_EQ(usual.top_p, embedded ? 0.5 : 0.9) << model.name;
        EXPECT_EQ(usual.top_k, 40) << model.name;
        EXPECT_EQ(usual.min_p, embedded ? 0.1 : 0.05) << model.name;
        EXPECT_EQ(usual.repeat_penalty, embedded ? 1.1 : 1.05) << model.name;
    }
}

TEST_F(LocalModelsTest, KnowWhetherTheDemonstrationIsOffered)
{
    const std::string name(embedded_model);
    EXPECT_FALSE(offers_embedded_model(options, data));
    options.default_model = name;
    EXPECT_TRUE(offers_embedded_model(options, data));
    options.default_model = "scripted";
    options.named[name].engine = "llama";
    EXPECT_TRUE(offers_embedded_model(options, data));
    options.named[name].llama.path = sound;
    EXPECT_FALSE(offers_embedded_model(options, data));
    options.named[name] = {.engine = "upstream"};
    EXPECT_FALSE(offers_embedded_model(options, data));
}

TEST_F(LocalModelsTest, NeedAFile)
{
    options.named["a"].engine = "llama";
    EXPECT_THAT(local_models(options, data).error().message,
                HasSubstr("models.a.path: the model needs a GGUF file."));
}

TEST_F(LocalModelsTest, AreTheDefaultWhereTheEmbeddedOneIsThere)
{
    EXPECT_EQ(default_model(options, data), "scripted");
    options.default_model = "";
    EXPECT_EQ(default_model(options, data), can_run_models ? "scripted" : embedded_model);
    options.default_model = "mine";
    EXPECT_EQ(default_model(options, data), "mine");
}

TEST_F(LocalModelsTest, AreExaminedAndMustFitTogether)
{
    const LocalModel model{.name = "a", .options = {.path = sound}};
    std::vector<LocalModel> one = {model};
    std::vector<LocalModel> two = {model, {.name = "b", .options = {.path = sound}}};
    EXPECT_TRUE(place_local_models(two, {.system = plenty}));
    const auto facts = engine::gguf::examine(std::filesystem::path(sound));
    const std::uint64_t need = engine::gguf::memory_need(*facts, 2048).with(1);
    EXPECT_TRUE(place_local_models(one, {.system = need}));
    EXPECT_THAT(place_local_models(two, {.system = need}).error().message,
                HasSubstr("The model b cannot be loaded. It needs "));
    std::vector<LocalModel> broken = {
        {.name = "c", .options = {.path = folder.file("broken", "GGUF")}}};
    EXPECT_THAT(place_local_models(broken, {.system = plenty}).error().message,
                HasSubstr("The model c cannot be loaded. "));
    EXPECT_EQ(open_local_model(model, {}).has_error(), true) << "It has the form only";
}

TEST_F(LocalModelsTest, ShareTheMemoryOfGpus)
{
    std::vector<LocalModel> two = {{.name = "a", .options = {.path = sound}},
                                   {.name = "b", .options = {.path = sound}}};
    EXPECT_TRUE(may_use_gpu(two));
    ASSERT_TRUE(place_local_models(two, {.system = plenty, .gpu = plenty}));
    EXPECT_GT(two[0].options.placement.gpu_layers, 0U);
    const std::uint64_t first = two[0].options.placement.gpu_bytes;
    EXPECT_GT(two[1].options.placement.gpu_layers, 0U);

    ASSERT_TRUE(place_local_models(two, {.system = plenty, .gpu = first + first / 8}));
    EXPECT_GT(two[0].options.placement.gpu_layers, 0U);
    EXPECT_EQ(two[1].options.placement.gpu_layers, 0U) << "The first one has taken it";

    for (LocalModel& model : two) model.options.memory.gpu_layers = 0;
    EXPECT_FALSE(may_use_gpu(two));
    two[1].options.memory.gpu_layers = 3;
    EXPECT_TRUE(may_use_gpu(two));
    EXPECT_THAT(place_local_models(two, {.system = plenty}).error().message,
                HasSubstr("The model b cannot be loaded. gpu_layers is 3, but there is no GPU"));
}

}  // namespace
}  // namespace parley::models

#include "engine/gguf/gguf.hpp"

#include "base/escape_control.hpp"
#include "engine/gguf/bytes.hpp"
#include "engine/gguf/metadata.hpp"
#include "engine/gguf/tensors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace parley::engine::gguf {
namespace {

constexpr std::uint64_t default_alignment = 32;
constexpr std::uint64_t max_alignment = 1U << 20U;

// No known model exceeds these, and larger values would overflow sums.
constexpr std::uint64_t max_layers = 512;
constexpr std::uint64_t max_width = 1U << 20U;
constexpr std::uint64_t max_context = std::uint64_t{1} << 31U;

Result<> read_start(Cursor& cursor)
{
    if (cursor.text(4) != "GGUF") return invalid_request("it does not begin with GGUF");
    const auto version = cursor.take<std::uint32_t>();
    if (cursor.ended()) return ends_early(cursor);
    if (version == 2 || version == 3) return {};
    if (version != 0 && (version & 0xffffU) == 0)
        return invalid_request("it has the wrong byte order");
    return invalid_request("it has version " + std::to_string(version) +
                           " of the format, and only 2 and 3 are supported");
}

const Value* find(const Metadata& metadata, std::string_view key)
{
    const auto found = metadata.find(key);
    return found == metadata.end() ? nullptr : &found->second;
}

std::string text_of(const Metadata& metadata, std::string_view key)
{
    const Value* value = find(metadata, key);
    return value ? value->text : std::string();
}

Result<std::uint64_t> alignment_of(const Metadata& metadata)
{
    const Value* value = find(metadata, "general.alignment");
    if (!value) return default_alignment;
    if (!value->number || !std::has_single_bit(*value->number) || *value->number > max_alignment)
        return invalid_request("its alignment is not a power of two");
    return *value->number;
}

Result<> check_kind(const Metadata& metadata)
{
    const std::string type = text_of(metadata, "general.type");
    if (!type.empty() && type != "model")
        return invalid_request("it is not a language model; its type is \"" + escape_control(type) +
                               "\"");
    const Value* parts = find(metadata, "split.count");
    if (parts && parts->number && *parts->number > 1)
        return invalid_request("it is one of " + std::to_string(*parts->number) +
                               " parts; merge them with llama-gguf-split first");
    if (text_of(metadata, "general.architecture").empty())
        return invalid_request("it does not name its architecture");
    return {};
}

// The properties under the name of the architecture.
class Properties {
public:
    Properties(const Metadata& metadata, std::string architecture)
        : metadata_(metadata), architecture_(std::move(architecture))
    {
    }

    // Fails if it is missing or out of bounds.
    Result<std::uint64_t> number(const std::string& name, std::uint64_t most) const
    {
        const Value* value = find(metadata_, key(name));
        const auto number = value ? largest(*value) : std::nullopt;
        if (number && *number >= 1 && *number <= most) return *number;
        return invalid_request(
            "its entry \"" + escape_control(key(name)) +
            (value ? "\" is not between 1 and " + std::to_string(most) : "\" is missing"));
    }
    std::uint64_t number_or(const std::string& name, std::uint64_t most, std::uint64_t other) const
    {
        const auto found = number(name, most);
        return found ? *found : other;
    }
    // The sum over all layers, each of which may have its own value.
    std::uint64_t over_layers(const std::string& name, std::uint64_t layers,
                              std::uint64_t other) const
    {
        const Value* value = find(metadata_, key(name));
        if (!value || value->numbers.size() != layers)
            return number_or(name, max_width, other) * layers;
        return std::accumulate(
            value->numbers.begin(), value->numbers.end(), std::uint64_t{0},
            [](std::uint64_t sum, std::uint64_t each) { return sum + std::min(each, max_width); });
    }

private:
    std::string key(const std::string& name) const { return architecture_ + "." + name; }
    static std::optional<std::uint64_t> largest(const Value& value)
    {
        if (value.number || value.numbers.empty()) return value.number;
        return *std::max_element(value.numbers.begin(), value.numbers.end());
    }

    const Metadata& metadata_;
    std::string architecture_;
};

Result<> read_properties(const Metadata& metadata, Facts& facts)
{
    const Properties properties(metadata, facts.architecture);
    const auto context = properties.number("context_length", max_context);
    const auto layers = properties.number("block_count", max_layers);
    const auto embedding = properties.number("embedding_length", max_width);
    const auto heads = properties.number("attention.head_count", max_width);
    for (const auto* each : {&context, &layers, &embedding, &heads})
        if (!*each) return each->error();
    facts.context = *context;
    facts.layers = *layers;
    facts.embedding = *embedding;
    facts.heads = *heads;
    const std::uint64_t head = std::max<std::uint64_t>(1, *embedding / *heads);
    const std::uint64_t width = properties.number_or("attention.key_length", max_width, head) +
                                properties.number_or("attention.value_length", max_width, head);
    facts.cache_per_token =
        properties.over_layers("attention.head_count_kv", *layers, *heads) * width;
    return {};
}

// Encoders, which cannot write.
constexpr std::array embedding_architectures{std::string_view("bert"),
                                             std::string_view("modern-bert"),
                                             std::string_view("nomic-bert"),
                                             std::string_view("nomic-bert-moe"),
                                             std::string_view("neo-bert"),
                                             std::string_view("jina-bert-v2"),
                                             std::string_view("jina-bert-v3"),
                                             std::string_view("eurobert"),
                                             std::string_view("gemma-embedding"),
                                             std::string_view("llama-embed"),
                                             std::string_view("t5encoder")};

// How the vectors of a text's tokens become one: by the numbers of the format, 0 for none, 1 to 3
// for an embedding, 4 for a score.
constexpr std::uint64_t pooled_by_last = 3;
constexpr std::uint64_t pooled_to_score = 4;

// An encoder, or a language model that was trained further to embed: it says how it pools.
Result<> read_purpose(const Metadata& metadata, Facts& facts)
{
    const Value* pooling = find(metadata, facts.architecture + ".pooling_type");
    const std::uint64_t kind = pooling ? pooling->number.value_or(0) : 0;
    if (kind >= pooled_to_score)
        return invalid_request("it is a reranking model, which is not supported");
    facts.is_encoder = std::ranges::find(embedding_architectures, facts.architecture) !=
                       embedding_architectures.end();
    facts.embeds = kind > 0 || facts.is_encoder;
    const Value* causal = find(metadata, facts.architecture + ".attention.causal");
    const bool reads_in_order = !causal || causal->number.value_or(0) != 0;
    facts.embeds_in_steps = kind == pooled_by_last && !facts.is_encoder && reads_in_order;
    return {};
}

Result<> read_vocabulary(const Metadata& metadata, Facts& facts)
{
    const Value* tokens = find(metadata, "tokenizer.ggml.tokens");
    if (!tokens || !tokens->is_list_of_text || tokens->count == 0)
        return invalid_request("it has no vocabulary");
    facts.vocabulary = tokens->count;
    facts.chat_template = text_of(metadata, "tokenizer.chat_template");
    return {};
}

}  // namespace

Result<Facts> examine(Bytes& bytes)
{
    Cursor cursor(bytes);
    if (auto started = read_start(cursor); !started) return started.error();
    const auto tensor_count = cursor.take<std::uint64_t>();
    const auto entry_count = cursor.take<std::uint64_t>();
    if (cursor.ended()) return ends_early(cursor);
    const auto metadata = read_metadata(cursor, entry_count);
    if (!metadata) return metadata.error();
    if (auto checked = check_kind(*metadata); !checked) return checked.error();
    const auto alignment = alignment_of(*metadata);
    if (!alignment) return alignment.error();
    const auto tensors = read_tensors(cursor, tensor_count, *alignment, bytes.size());
    if (!tensors) return tensors.error();

    Facts facts{.architecture = text_of(*metadata, "general.architecture"),
                .name = text_of(*metadata, "general.name"),
                .quantization = tensors->quantization,
                .parameters = tensors->parameters,
                .tensors = tensor_count,
                .tensor_bytes = tensors->bytes,
                .file_bytes = bytes.size()};
    if (auto read = read_properties(*metadata, facts); !read) return read.error();
    if (auto read = read_purpose(*metadata, facts); !read) return read.error();
    if (auto read = read_vocabulary(*metadata, facts); !read) return read.error();
    return facts;
}

Result<Facts> examine(const std::filesystem::path& file)
{
    const auto bytes = open_bytes(file);
    if (!bytes) return bytes.error();
    auto facts = examine(**bytes);
    if (!facts)
        return invalid_request(file.string() +
                               " cannot be used as a model: " + facts.error().message + ".");
    return facts;
}

}  // namespace parley::engine::gguf

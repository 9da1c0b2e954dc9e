#include "api/embedding_writer.hpp"

#include "base/base64.hpp"
#include "base/json.hpp"
#include "fields/write.hpp"

#include <array>
#include <bit>
#include <charconv>

namespace parley::api {
namespace {

static_assert(std::endian::native == std::endian::little, "The wire has little-endian floats.");

// The shortest text that stands for this number.
void append_number(std::string& list, float number)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    list.append(text.data(), end);
}

void append_numbers(std::string& list, std::span<const float> vector)
{
    char before = '[';
    for (const float number : vector) {
        list += before;
        append_number(list, number);
        before = ',';
    }
    list += ']';
}

void append_base64(std::string& list, std::span<const float> vector)
{
    const auto bytes = std::as_bytes(vector);
    list += '"';
    list += base64({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
    list += '"';
}

}  // namespace

std::string begin_embeddings() { return R"({"object":"list","data":[)"; }

void append_embedding(std::string& list, std::size_t index, std::span<const float> vector,
                      EmbeddingFormat format)
{
    if (index > 0) list += ',';
    list.append(R"({"object":"embedding","index":)").append(std::to_string(index));
    list += R"(,"embedding":)";
    if (format == EmbeddingFormat::base64)
        append_base64(list, vector);
    else
        append_numbers(list, vector);
    list += '}';
}

void end_embeddings(std::string& list, std::string_view model, std::int64_t tokens)
{
    list += R"(],"model":)";
    json::append_quoted(list, model);
    list += R"(,"usage":)";
    fields::append(list, EmbeddingUsage{.prompt_tokens = tokens, .total_tokens = tokens});
    list += '}';
}

}  // namespace parley::api

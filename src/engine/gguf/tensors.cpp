#include "engine/gguf/tensors.hpp"

#include "base/escape_control.hpp"
#include "engine/gguf/metadata.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

namespace parley::engine::gguf {
namespace {

// A row of a tensor is a sequence of blocks, each with this many numbers in this many bytes.
struct Type {
    std::uint32_t number;
    std::string_view name;
    std::uint64_t block;
    std::uint64_t bytes;
};

// All types that llama.cpp can compute with.
constexpr std::array types = {
    Type{0, "f32", 1, 4},         Type{1, "f16", 1, 2},         Type{2, "q4_0", 32, 18},
    Type{3, "q4_1", 32, 20},      Type{6, "q5_0", 32, 22},      Type{7, "q5_1", 32, 24},
    Type{8, "q8_0", 32, 34},      Type{9, "q8_1", 32, 36},      Type{10, "q2_K", 256, 84},
    Type{11, "q3_K", 256, 110},   Type{12, "q4_K", 256, 144},   Type{13, "q5_K", 256, 176},
    Type{14, "q6_K", 256, 210},   Type{15, "q8_K", 256, 292},   Type{16, "iq2_xxs", 256, 66},
    Type{17, "iq2_xs", 256, 74},  Type{18, "iq3_xxs", 256, 98}, Type{19, "iq1_s", 256, 50},
    Type{20, "iq4_nl", 32, 18},   Type{21, "iq3_s", 256, 110},  Type{22, "iq2_s", 256, 82},
    Type{23, "iq4_xs", 256, 136}, Type{24, "i8", 1, 1},         Type{25, "i16", 1, 2},
    Type{26, "i32", 1, 4},        Type{27, "i64", 1, 8},        Type{28, "f64", 1, 8},
    Type{29, "iq1_m", 256, 56},   Type{30, "bf16", 1, 2},       Type{34, "tq1_0", 256, 54},
    Type{35, "tq2_0", 256, 66},   Type{39, "mxfp4", 32, 17},    Type{40, "nvfp4", 64, 36},
    Type{41, "q1_0", 128, 18},    Type{42, "q2_0", 64, 18},
};

constexpr std::uint32_t max_dimensions = 4;
constexpr std::uint64_t max_name_length = 63;
constexpr std::uint64_t max_numbers = std::uint64_t{1} << 48U;

struct Tensor {
    std::string name;
    const Type* type = nullptr;
    std::uint64_t numbers = 0;
    std::uint64_t offset = 0;  // From the end of the header.
    std::uint64_t bytes = 0;
};

Error broken(const Tensor& tensor, const std::string& what)
{
    return invalid_request("its tensor \"" + escape_control(tensor.name) + "\" " + what);
}

// The number of elements, and whether the rows are whole blocks.
Result<> read_shape(Cursor& cursor, Tensor& tensor)
{
    const auto dimensions = cursor.take<std::uint32_t>();
    if (dimensions == 0 || dimensions > max_dimensions)
        return broken(tensor, "has " + std::to_string(dimensions) + " dimensions");
    tensor.numbers = 1;
    std::uint64_t row = 0;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
        const auto length = cursor.take<std::uint64_t>();
        if (i == 0) row = length;
        if (length == 0 || length > max_numbers / tensor.numbers)
            return broken(tensor, "has an impossible shape");
        tensor.numbers *= length;
    }
    const auto number = cursor.take<std::uint32_t>();
    const auto* type = std::ranges::find(types, number, &Type::number);
    if (type == types.end())
        return broken(tensor, "has a type that does not exist (" + std::to_string(number) + ")");
    if (row % type->block != 0)
        return broken(tensor, "has rows of " + std::to_string(row) +
                                  " numbers, which is not a multiple of " +
                                  std::to_string(type->block));
    tensor.type = type;
    tensor.bytes = tensor.numbers / type->block * type->bytes;
    return {};
}

Result<Tensor> read_tensor(Cursor& cursor, std::uint64_t alignment)
{
    Tensor tensor;
    const auto length = cursor.take<std::uint64_t>();
    if (cursor.ended()) return ends_early(cursor);
    if (length == 0 || length > max_name_length)
        return invalid_request("one of its tensors has a name of " + std::to_string(length) +
                               " bytes");
    tensor.name = cursor.text(length);
    if (cursor.ended()) return ends_early(cursor);
    auto shape = read_shape(cursor, tensor);
    if (cursor.ended()) return ends_early(cursor);
    if (!shape) return shape.error();
    tensor.offset = cursor.take<std::uint64_t>();
    if (cursor.ended()) return ends_early(cursor);
    if (tensor.offset % alignment != 0)
        return broken(tensor, "does not begin at a multiple of " + std::to_string(alignment));
    return tensor;
}

Result<> check_places(std::vector<Tensor>& tensors, std::uint64_t room)
{
    for (const Tensor& each : tensors)
        if (each.offset > room || each.bytes > room - each.offset)
            return broken(each, "lies beyond the end of the file: it is cut short, or damaged");
    std::ranges::sort(tensors, {}, &Tensor::offset);
    for (std::size_t i = 1; i < tensors.size(); ++i)
        if (tensors[i - 1].offset + tensors[i - 1].bytes > tensors[i].offset)
            return broken(tensors[i], "overlaps another one");
    return {};
}

std::string most_used(const std::vector<Tensor>& tensors)
{
    std::map<std::string_view, std::uint64_t> bytes;
    for (const Tensor& each : tensors) bytes[each.type->name] += each.bytes;
    const auto most =
        std::ranges::max_element(bytes, {}, [](const auto& one) { return one.second; });
    return most == bytes.end() ? std::string() : std::string(most->first);
}

}  // namespace

Result<Tensors> read_tensors(Cursor& cursor, std::uint64_t count, std::uint64_t alignment,
                             std::uint64_t file_bytes)
{
    if (count == 0) return invalid_request("it has no tensors");
    if (count > max_tensors)
        return invalid_request("its header claims " + std::to_string(count) + " tensors");
    std::vector<Tensor> tensors;
    std::unordered_set<std::string> seen;
    for (std::uint64_t i = 0; i < count; ++i) {
        auto tensor = read_tensor(cursor, alignment);
        if (!tensor) return tensor.error();
        if (!seen.insert(tensor->name).second) return broken(*tensor, "occurs twice");
        tensors.push_back(std::move(*tensor));
    }
    const std::uint64_t start = (cursor.position() + alignment - 1) / alignment * alignment;
    if (auto placed = check_places(tensors, file_bytes > start ? file_bytes - start : 0); !placed)
        return placed.error();
    Tensors all{.quantization = most_used(tensors)};
    for (const Tensor& each : tensors) {
        all.parameters += each.numbers;
        all.bytes += each.bytes;
    }
    return all;
}

}  // namespace parley::engine::gguf

#include "engine/gguf/metadata.hpp"

#include "base/escape_control.hpp"

#include <algorithm>
#include <unordered_set>

namespace parley::engine::gguf {
namespace {

// The numbers are part of the format.
enum class Kind : std::uint32_t {
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    f32,
    boolean,
    text,
    list,
    u64,
    i64,
    f64,
};
constexpr std::uint32_t kinds = 13;

constexpr std::array<std::uint64_t, kinds> sizes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

bool is_asked_for(std::string_view key)
{
    constexpr std::array endings = {std::string_view(".context_length"),
                                    std::string_view(".block_count"),
                                    std::string_view(".embedding_length"),
                                    std::string_view(".attention.head_count"),
                                    std::string_view(".attention.head_count_kv"),
                                    std::string_view(".attention.key_length"),
                                    std::string_view(".attention.value_length"),
                                    std::string_view(".attention.causal"),
                                    std::string_view(".pooling_type")};
    constexpr std::array whole = {std::string_view("tokenizer.chat_template"),
                                  std::string_view("tokenizer.ggml.tokens"),
                                  std::string_view("split.count")};
    return key.starts_with("general.") || std::ranges::find(whole, key) != whole.end() ||
           std::ranges::any_of(endings, [&](auto end) { return key.ends_with(end); });
}

std::optional<std::uint64_t> not_negative(std::int64_t number)
{
    if (number < 0) return {};
    return static_cast<std::uint64_t>(number);
}

std::optional<std::uint64_t> take_number(Cursor& cursor, Kind kind)
{
    switch (kind) {
        case Kind::u8:
            return cursor.take<std::uint8_t>();
        case Kind::boolean:
            return cursor.take<std::uint8_t>() != 0 ? 1 : 0;
        case Kind::u16:
            return cursor.take<std::uint16_t>();
        case Kind::u32:
            return cursor.take<std::uint32_t>();
        case Kind::u64:
            return cursor.take<std::uint64_t>();
        case Kind::i8:
            return not_negative(cursor.take<std::int8_t>());
        case Kind::i16:
            return not_negative(cursor.take<std::int16_t>());
        case Kind::i32:
            return not_negative(cursor.take<std::int32_t>());
        case Kind::i64:
            return not_negative(cursor.take<std::int64_t>());
        default:
            cursor.skip(sizes.at(static_cast<std::size_t>(kind)));
            return {};
    }
}

class Reader {
public:
    explicit Reader(Cursor& cursor) : cursor_(cursor) {}

    Result<> entry(Metadata& into);

private:
    Result<Kind> kind(const std::string& key);
    Result<std::string> text(const std::string& key, bool keep);
    Result<> list(const std::string& key, Value& value);
    Error broken(const std::string& key, const std::string& what) const
    {
        return invalid_request("its entry \"" + escape_control(key) + "\" " + what);
    }

    Cursor& cursor_;
    std::unordered_set<std::string> seen_;
};

Result<Kind> Reader::kind(const std::string& key)
{
    const auto number = cursor_.take<std::uint32_t>();
    if (cursor_.ended()) return ends_early(cursor_);
    if (number >= kinds)
        return broken(key,
                      "has a value of a type that does not exist (" + std::to_string(number) + ")");
    return static_cast<Kind>(number);
}

Result<std::string> Reader::text(const std::string& key, bool keep)
{
    const auto size = cursor_.take<std::uint64_t>();
    if (size > max_text_length)
        return broken(key, "has a text of " + std::to_string(size) + " bytes, which is too long");
    std::string text;
    if (keep && size <= max_kept_text)
        text = cursor_.text(size);
    else
        cursor_.skip(size);
    if (cursor_.ended()) return ends_early(cursor_);
    return text;
}

Result<> Reader::list(const std::string& key, Value& value)
{
    const auto of = kind(key);
    if (!of) return of.error();
    if (*of == Kind::list) return broken(key, "is a list of lists, which is not supported");
    value.count = cursor_.take<std::uint64_t>();
    const std::uint64_t least = *of == Kind::text ? 8 : sizes.at(static_cast<std::size_t>(*of));
    if (value.count > max_list_length)
        return broken(key, "is a list of " + std::to_string(value.count) + ", which is too long");
    if (value.count * least > cursor_.left()) return ends_early(cursor_);
    value.is_list_of_text = *of == Kind::text;
    if (value.is_list_of_text) {
        for (std::uint64_t i = 0; i < value.count; ++i)
            if (const auto each = text(key, false); !each) return each.error();
        return {};
    }
    if (value.count > max_kept_numbers) {
        cursor_.skip(value.count * least);
        return {};
    }
    for (std::uint64_t i = 0; i < value.count; ++i)
        if (const auto number = take_number(cursor_, *of)) value.numbers.push_back(*number);
    return {};
}

Result<> Reader::entry(Metadata& into)
{
    const auto length = cursor_.take<std::uint64_t>();
    if (cursor_.ended()) return ends_early(cursor_);
    if (length == 0 || length > max_key_length)
        return invalid_request("an entry of its header has a name of " + std::to_string(length) +
                               " bytes");
    const std::string key = cursor_.text(length);
    if (cursor_.ended()) return ends_early(cursor_);
    if (!seen_.insert(key).second) return broken(key, "occurs twice");
    const auto of = kind(key);
    if (!of) return of.error();
    Value value;
    if (*of == Kind::list) {
        if (auto read = list(key, value); !read) return read;
    } else if (*of == Kind::text) {
        auto read = text(key, is_asked_for(key));
        if (!read) return read.error();
        value.text = std::move(*read);
    } else {
        value.number = take_number(cursor_, *of);
    }
    if (cursor_.ended()) return ends_early(cursor_);
    if (is_asked_for(key)) into.emplace(key, std::move(value));
    return {};
}

}  // namespace

Error ends_early(const Cursor& cursor)
{
    return invalid_request("it ends in the middle of its header, at byte " +
                           std::to_string(cursor.position()));
}

Result<Metadata> read_metadata(Cursor& cursor, std::uint64_t count)
{
    if (count > max_entries)
        return invalid_request("its header claims " + std::to_string(count) + " entries");
    Metadata metadata;
    Reader reader(cursor);
    for (std::uint64_t i = 0; i < count; ++i)
        if (auto read = reader.entry(metadata); !read) return read.error();
    return metadata;
}

}  // namespace parley::engine::gguf

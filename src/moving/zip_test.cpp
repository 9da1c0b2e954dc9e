#include "moving/zip.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <zlib.h>

namespace parley::moving {
namespace {

std::string number(std::uint64_t value, std::size_t bytes)
{
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i, value >>= 8) text += static_cast<char>(value & 0xff);
    return text;
}

std::string deflate(const std::string& text)
{
    z_stream deflater{};
    EXPECT_EQ(::deflateInit2(&deflater, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(::deflateBound(&deflater, text.size()), '\0');
    std::string copy = text;
    deflater.next_in = reinterpret_cast<Bytef*>(copy.data());
    deflater.avail_in = static_cast<uInt>(copy.size());
    deflater.next_out = reinterpret_cast<Bytef*>(out.data());
    deflater.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(::deflate(&deflater, Z_FINISH), Z_STREAM_END);
    out.resize(deflater.total_out);
    ::deflateEnd(&deflater);
    return out;
}

struct MadeEntry {
    std::string name;
    std::string text;
    bool is_deflated = true;
    std::uint16_t flags = 0;
    std::optional<std::uint32_t> crc = {};
    bool is_64 = false;
};

// An archive with these files, as other programs write it.
std::string archive_of(const std::vector<MadeEntry>& entries, bool is_64 = false)
{
    std::string files;
    std::string directory;
    for (const MadeEntry& each : entries) {
        const std::string packed = each.is_deflated ? deflate(each.text) : each.text;
        const auto crc = each.crc.value_or(
            static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(each.text.data()),
                                               static_cast<uInt>(each.text.size()))));
        const std::string method = number(each.is_deflated ? 8 : 0, 2);
        const std::string extra = each.is_64
                                      ? number(1, 2) + number(24, 2) + number(each.text.size(), 8) +
                                            number(packed.size(), 8) + number(files.size(), 8)
                                      : "";
        const auto in_entry = [&](std::size_t value) {
            return number(each.is_64 ? 0xffffffff : value, 4);
        };
        directory += "PK\1\2" + number(20, 2) + number(20, 2) + number(each.flags, 2) + method +
                     number(0, 4) + number(crc, 4) + in_entry(packed.size()) +
                     in_entry(each.text.size()) + number(each.name.size(), 2) +
                     number(extra.size(), 2) + number(0, 2) + number(0, 2) + number(0, 2) +
                     number(0, 4) + in_entry(files.size()) + each.name + extra;
        files += "PK\3\4" + number(20, 2) + number(each.flags, 2) + method + number(0, 4) +
                 number(0, 12) + number(each.name.size(), 2) + number(3, 2) + each.name + "xyz" +
                 packed;
    }
    std::string end;
    if (is_64)
        end = "PK\6\6" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) +
              number(entries.size(), 8) + number(entries.size(), 8) + number(directory.size(), 8) +
              number(files.size(), 8) + "PK\6\7" + number(0, 4) +
              number(files.size() + directory.size(), 8) + number(1, 4);
    return files + directory + end + "PK\5\6" + number(0, 4) + number(entries.size(), 2) +
           number(entries.size(), 2) + number(is_64 ? 0xffffffff : directory.size(), 4) +
           number(is_64 ? 0xffffffff : files.size(), 4) + number(7, 2) + "comment";
}

// The text of a file; nothing if it is damaged.
std::optional<std::string> text_of(const std::string& archive, const std::string& name)
{
    std::istringstream in(archive);
    auto zip = Zip::open(in);
    if (!zip) return std::nullopt;
    for (const ZipEntry& entry : zip->entries()) {
        if (entry.name != name) continue;
        auto stream = zip->read(entry);
        if (!stream) return std::nullopt;
        std::string text;
        std::string block(1000, '\0');
        while ((*stream)->read(block.data(), 1000) || (*stream)->gcount() > 0)
            text.append(block, 0, static_cast<std::size_t>((*stream)->gcount()));
        if ((*stream)->bad()) return std::nullopt;
        return text;
    }
    return std::nullopt;
}

std::string long_text()
{
    std::string text;
    for (int i = 0; i < 50'000; ++i) text += std::to_string(i * 7919 % 10'007) + ",";
    return text;
}

TEST(Zip, ReadsStoredAndDeflatedFiles)
{
    const std::string archive = archive_of({{.name = "a.json", .text = "[1]"},
                                            {.name = "folder/b", .text = "b", .is_deflated = false},
                                            {.name = "long", .text = long_text()},
                                            {.name = "empty", .text = ""}});
    EXPECT_EQ(text_of(archive, "a.json"), "[1]");
    EXPECT_EQ(text_of(archive, "folder/b"), "b");
    EXPECT_TRUE(text_of(archive, "long") == long_text());
    EXPECT_EQ(text_of(archive, "empty"), "");
    std::istringstream in(archive);
    EXPECT_TRUE(is_zip(in));
    EXPECT_TRUE(Zip::open(in));
}

TEST(Zip, ReadsLargeArchives)
{
    const std::string archive = archive_of({{.name = "a", .text = "first", .is_64 = true},
                                            {.name = "b", .text = "second", .is_64 = true}},
                                           true);
    EXPECT_EQ(text_of(archive, "a"), "first");
    EXPECT_EQ(text_of(archive, "b"), "second");
}

TEST(Zip, KnowsWhatIsNoArchive)
{
    for (const std::string& text : {std::string(), std::string("[]"), std::string(100'000, 'x')}) {
        std::istringstream in(text);
        EXPECT_FALSE(is_zip(in));
        EXPECT_EQ(in.tellg(), 0);
        const auto zip = Zip::open(in);
        ASSERT_FALSE(zip);
        EXPECT_EQ(zip.error().code, Errc::invalid_request);
    }
}

TEST(Zip, FindsDamage)
{
    EXPECT_FALSE(text_of(archive_of({{.name = "a", .text = "text", .crc = 1}}), "a"));
    EXPECT_FALSE(text_of(archive_of({{.name = "a", .text = "text", .flags = 1}}), "a"));
    const std::string whole = archive_of({{.name = "a", .text = long_text()}});
    for (const std::size_t at : {std::size_t{0}, std::size_t{50}, whole.size() / 2}) {
        std::string broken = whole;
        broken[at] = static_cast<char>(~broken[at]);
        EXPECT_FALSE(text_of(broken, "a")) << at;
    }
    for (std::size_t size = 0; size < whole.size(); size += whole.size() / 50)
        EXPECT_FALSE(text_of(whole.substr(0, size), "a")) << size;
}

}  // namespace
}  // namespace parley::moving

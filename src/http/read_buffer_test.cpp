#include "http/read_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace parley::http {
namespace {

// The content of a stream with this many bytes.
std::string text_of(std::size_t size, std::size_t from = 0)
{
    std::string text;
    for (std::size_t i = from; i < from + size; ++i) text += static_cast<char>('a' + i % 23);
    return text;
}

void receive(ReadBuffer& buffer, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto room = buffer.room();
        ASSERT_FALSE(room.empty());
        const std::string_view part = bytes.substr(0, room.size());
        std::ranges::copy(part, room.begin());
        buffer.received(part.size());
        bytes.remove_prefix(part.size());
    }
}

TEST(ReadBuffer, TakesWhatIsAppendedWhateverItHolds)
{
    for (const std::size_t held : {0U, 1U, 4095U, 4096U, 4097U, 16'000U})
        for (const std::size_t used : {0U, 1U, 4000U, 16'000U})
            for (const std::size_t more : {0U, 1U, 4096U, 4097U, 16'384U}) {
                BlockPool pool;
                ReadBuffer buffer(pool);
                receive(buffer, text_of(held));
                const std::size_t gone = std::min(held, used);
                buffer.consume(gone);
                ASSERT_TRUE(buffer.append(text_of(more, held)));
                EXPECT_EQ(buffer.bytes(), text_of(held + more - gone, gone));
            }
}

TEST(ReadBuffer, RefusesWhatItCannotHold)
{
    BlockPool pool;
    ReadBuffer buffer(pool);
    EXPECT_FALSE(buffer.append(std::string(ReadBuffer::most + 1, 'x')));
    EXPECT_TRUE(buffer.empty());
    ASSERT_TRUE(buffer.append(text_of(ReadBuffer::most - 1)));
    EXPECT_FALSE(buffer.append("xy"));
    EXPECT_EQ(buffer.bytes(), text_of(ReadBuffer::most - 1));
    EXPECT_EQ(buffer.room().size(), 1U);
    buffer.received(1);
    EXPECT_TRUE(buffer.room().empty());
    EXPECT_TRUE(buffer.append(""));
}

TEST(ReadBuffer, ABlockThatWasUsedBeforeIsNoExcuse)
{
    BlockPool pool;
    for (int i = 0; i < 3; ++i) {
        ReadBuffer buffer(pool);
        receive(buffer, "head");
        buffer.consume(4);
        ASSERT_TRUE(buffer.append(text_of(16'384)));
        EXPECT_EQ(buffer.bytes(), text_of(16'384));
    }
}

TEST(ReadBuffer, CountsThatCannotBeAreRefused)
{
    BlockPool pool;
    ReadBuffer buffer(pool);
    EXPECT_THROW(buffer.received(1), std::logic_error);
    EXPECT_THROW(buffer.consume(1), std::logic_error);
    const std::size_t room = buffer.room().size();
    EXPECT_THROW(buffer.received(room + 1), std::logic_error);
    buffer.received(3);
    EXPECT_THROW(buffer.consume(4), std::logic_error);
    EXPECT_THROW(buffer.consume(static_cast<std::size_t>(-1)), std::logic_error);
    buffer.consume(3);
    EXPECT_TRUE(buffer.empty());
}

}  // namespace
}  // namespace parley::http

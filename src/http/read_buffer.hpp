// The received bytes of a connection that were not used yet. The memory is borrowed from the loop
// while there are such bytes, so that an idle connection costs none.
//
// Threads: of one loop, like everything that a connection owns.
#pragma once

#include "http/framing.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace parley::http {

// Memory blocks shared by the connections of one loop. Most requests fit into a small one; a large
// one holds the longest allowed head.
class BlockPool {
public:
    static constexpr std::size_t small_size = std::size_t{4} * 1024;
    static constexpr std::size_t large_size = std::size_t{32} * 1024;
    static_assert(large_size > max_head_size);

    using Block = std::unique_ptr<char[]>;

    Block take(std::size_t size);
    void give(Block block, std::size_t size);

private:
    static constexpr std::size_t max_kept = 64;  // Blocks of each size; more are freed.

    std::vector<Block> small_;
    std::vector<Block> large_;
};

class ReadBuffer {
public:
    explicit ReadBuffer(BlockPool& pool) : pool_(pool) {}
    ReadBuffer(const ReadBuffer&) = delete;
    ReadBuffer& operator=(const ReadBuffer&) = delete;
    ~ReadBuffer() { release(); }

    std::string_view bytes() const { return {block_.get() + begin_, end_ - begin_}; }
    bool empty() const { return begin_ == end_; }

    // Room for at least one more byte, until `most` bytes are held: then it is empty. Views into
    // bytes() become invalid.
    std::span<char> room();

    // Appends a copy. False, and nothing is appended, if more than `most` bytes would be held.
    // Views into bytes() become invalid.
    [[nodiscard]] bool append(std::string_view more);

    // `count` bytes were written into room(), or are no longer needed. Both throw std::logic_error
    // if there are fewer: in every build, because the bytes come from outside.
    void received(std::size_t count);
    void consume(std::size_t count);

    static constexpr std::size_t most = BlockPool::large_size;

    // Releases the memory if nothing is held.
    void release_if_empty()
    {
        if (empty()) release();
    }

private:
    void make_room(std::size_t count);
    void release();

    BlockPool& pool_;
    BlockPool::Block block_;  // Has `capacity_` bytes, of which those from begin_ to end_ are held.
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace parley::http

// The bytes that came in on a connection and were not used yet. The memory is borrowed from the
// loop while there is something to hold, so that an idle connection costs none.
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

// Blocks that connections of one loop take turns with. Most requests fit into a small one; a large
// one holds the longest head that can pass the gate.
class BlockPool {
public:
    static constexpr std::size_t small_size = std::size_t{4} * 1024;
    static constexpr std::size_t large_size = std::size_t{32} * 1024;
    static_assert(large_size > max_head_size);

    using Block = std::unique_ptr<char[]>;

    Block take(std::size_t size);
    void give(Block block, std::size_t size);

private:
    static constexpr std::size_t max_kept = 64;  // Of each size, beyond that they are freed.

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

    // Room for at least one more byte, until `max_head_size` bytes are held. Views into bytes()
    // become invalid.
    std::span<char> room();
    void received(std::size_t count) { end_ += count; }
    void consume(std::size_t count) { begin_ += count; }

    // Gives the memory back if nothing is held.
    void release_if_empty()
    {
        if (empty()) release();
    }

private:
    void release();

    BlockPool& pool_;
    BlockPool::Block block_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace parley::http

#include "http/read_buffer.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

namespace parley::http {

BlockPool::Block BlockPool::take(std::size_t size)
{
    auto& kept = size == small_size ? small_ : large_;
    if (kept.empty()) return std::make_unique_for_overwrite<char[]>(size);
    Block block = std::move(kept.back());
    kept.pop_back();
    return block;
}

void BlockPool::give(Block block, std::size_t size)
{
    auto& kept = size == small_size ? small_ : large_;
    if (block && kept.size() < max_kept) kept.push_back(std::move(block));
}

std::span<char> ReadBuffer::room()
{
    if (capacity_ == end_) make_room(1);
    if (begin_ == end_) begin_ = end_ = 0;
    return {block_.get() + end_, capacity_ - end_};
}

bool ReadBuffer::append(std::string_view more)
{
    if (more.size() > most - (end_ - begin_)) return false;
    if (more.empty()) return true;
    make_room(more.size());
    std::memcpy(block_.get() + end_, more.data(), more.size());
    end_ += more.size();
    return true;
}

// Makes room for `count` more bytes, or for as many as `most` allows.
void ReadBuffer::make_room(std::size_t count)
{
    if (capacity_ - end_ >= count) return;
    const std::size_t held = end_ - begin_;
    if (held + count > capacity_ && capacity_ != most) {
        const std::size_t size =
            held + count > BlockPool::small_size ? BlockPool::large_size : BlockPool::small_size;
        auto larger = pool_.take(size);
        if (held != 0) std::memcpy(larger.get(), block_.get() + begin_, held);
        pool_.give(std::exchange(block_, std::move(larger)), capacity_);
        capacity_ = size;
    } else if (held != 0) {
        std::memmove(block_.get(), block_.get() + begin_, held);
    }
    begin_ = 0;
    end_ = held;
}

void ReadBuffer::received(std::size_t count)
{
    if (count > capacity_ - end_)
        throw std::logic_error("more was received than there is room for");
    end_ += count;
}

void ReadBuffer::consume(std::size_t count)
{
    if (count > end_ - begin_) throw std::logic_error("more is consumed than was received");
    begin_ += count;
}

void ReadBuffer::release()
{
    pool_.give(std::move(block_), capacity_);
    block_ = nullptr;
    capacity_ = begin_ = end_ = 0;
}

}  // namespace parley::http

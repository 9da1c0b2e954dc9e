#include "http/read_buffer.hpp"

#include <cstring>
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
    if (!block_) {
        capacity_ = BlockPool::small_size;
        block_ = pool_.take(capacity_);
    }
    if (begin_ == end_) begin_ = end_ = 0;
    if (end_ == capacity_) {
        if (begin_ == 0 && capacity_ == BlockPool::small_size) {
            auto larger = pool_.take(BlockPool::large_size);
            std::memcpy(larger.get(), block_.get(), end_);
            pool_.give(std::exchange(block_, std::move(larger)), capacity_);
            capacity_ = BlockPool::large_size;
        } else {
            std::memmove(block_.get(), block_.get() + begin_, end_ - begin_);
            end_ -= begin_;
            begin_ = 0;
        }
    }
    return {block_.get() + end_, capacity_ - end_};
}

void ReadBuffer::release()
{
    pool_.give(std::move(block_), capacity_);
    block_ = nullptr;
    capacity_ = begin_ = end_ = 0;
}

}  // namespace parley::http

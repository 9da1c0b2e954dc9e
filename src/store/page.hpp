// Part of a long list. The next part begins where this one ended, found by the key of its last item
// and not by counting, so that page 1,000 costs what page 1 costs.
#pragma once

#include "base/json.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

// A page ends before its items take more than about this many bytes as JSON.
inline constexpr std::size_t max_page_bytes = std::size_t{1024} * 1024;

// Whether the next item still fits on a page. The first one always does.
class PageRoom {
public:
    bool takes(std::size_t bytes)
    {
        const bool fits = used_ == 0 || used_ + bytes <= max_page_bytes;
        used_ += bytes;
        return fits;
    }

private:
    std::size_t used_ = 0;
};

// The size of texts as JSON, with the names and ids around them.
template <class Texts>
std::size_t size_of_texts(const Texts& texts)
{
    constexpr std::size_t around = 32;
    std::size_t size = 0;
    for (const auto& text : texts) size += json::quoted_size(text) + around;
    return size;
}

template <class Item, class Position>
struct Page {
    std::vector<Item> items;
    std::optional<Position> next;  // Nothing at the end of the list.
};

}  // namespace parley::store

// Part of a long list. The next part begins where this one ended, found by the key of its last item
// and not by counting, so that page 1,000 costs what page 1 costs.
#pragma once

#include <optional>
#include <vector>

namespace parley::store {

template <class Item, class Position>
struct Page {
    std::vector<Item> items;
    std::optional<Position> next;  // Nothing where the list ends here.
};

}  // namespace parley::store

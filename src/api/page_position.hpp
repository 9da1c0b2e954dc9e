// The position where a page of a list begins: reads the cursor that a client sends, and makes the
// cursor of the next page. For lists whose positions are numbers.
#pragma once

#include "api/cursor.hpp"
#include "api/list_page.hpp"
#include "store/page.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

namespace parley::api {

class PagePosition {
public:
    // `list` names everything that its cursors are bound to. The cursors must outlive it.
    PagePosition(std::string list, const Cursors& cursors)
        : list_(std::move(list)), cursors_(cursors)
    {
    }

    // Nothing for the first page. Fails with invalid_cursor.
    Result<std::optional<std::int64_t>> of(const PageQuery& query) const
    {
        if (!query.after) return std::optional<std::int64_t>();
        const auto text = cursors_.open(list_, *query.after);
        if (!text) return text.error();
        std::int64_t position = 0;
        std::from_chars(text->data(), text->data() + text->size(), position);
        return std::optional(position);
    }

    template <class View, class Item, class ToView>
    ListPage<View> list(const store::Page<Item, std::int64_t>& page, ToView view) const
    {
        ListPage<View> listed;
        for (const Item& item : page.items) listed.list.data.push_back(view(item));
        listed.list.has_more = page.next.has_value();
        if (page.next) listed.list.next_cursor = cursors_.seal(list_, std::to_string(*page.next));
        return listed;
    }

private:
    std::string list_;
    const Cursors& cursors_;
};

}  // namespace parley::api

// What travels over /problems: what each error code of this server means.
#pragma once

#include "base/field.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace parley::api {

struct ProblemPath {
    std::string code;

    static constexpr auto fields()
    {
        return std::tuple(wire::field("code", &ProblemPath::code, "The `code` of a problem."));
    }
};

struct ProblemView {
    std::string object = "problem";
    std::string code;
    std::string title;
    std::int64_t status = 0;
    std::string explanation;

    static constexpr auto fields()
    {
        using wire::field;
        return std::tuple(
            field("object", &ProblemView::object, "Always `problem`."),
            field("code", &ProblemView::code, "What programs tell errors apart by."),
            field("title", &ProblemView::title, "What happened, in a few words."),
            field("status", &ProblemView::status, "The HTTP status that comes with it."),
            field("explanation", &ProblemView::explanation, "What happened, and what to do."));
    }
};

struct ProblemList {
    std::string object = "list";
    std::vector<ProblemView> data;
    bool has_more = false;
    std::optional<std::string> next_cursor;

    static constexpr auto fields()
    {
        using wire::field;
        return std::tuple(field("object", &ProblemList::object, "Always `list`."),
                          field("data", &ProblemList::data, "All problems that there are."),
                          field("has_more", &ProblemList::has_more, "Always false."),
                          field("next_cursor", &ProblemList::next_cursor, "Always null."));
    }
};

}  // namespace parley::api

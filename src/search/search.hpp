// Searching in texts: the words of a text as they are compared, the query of a user, and the part
// of a text that shows why it was found. Stores use the words for their indexes, and check each
// text that an index finds with the query, so that all stores find the same.
#pragma once

#include "search/query.hpp"
#include "search/snippet.hpp"
#include "search/words.hpp"

#include "api/markdown.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

TEST(Markdown, HasHeadingsWithAnchorsAndParagraphs)
{
    EXPECT_EQ(html_of_markdown("# First call: now\n\nOne line,\nand another.\n\nNext.\n"),
              "<h1 id=\"first-call-now\">First call: now</h1>\n<p>One line, and another.</p>\n"
              "<p>Next.</p>\n");
    EXPECT_EQ(title_of_markdown("\n# First call\n## More\n"), "First call");
    EXPECT_EQ(title_of_markdown("text"), "");
}

TEST(Markdown, MarksCodeEmphasisAndLinks)
{
    EXPECT_EQ(html_of_markdown("A `b<c` **d** [e `f`](g?h&i) j*k."),
              "<p>A <code>b&lt;c</code> <strong>d</strong> <a href=\"g?h&amp;i\">e <code>f</code>"
              "</a> j*k.</p>\n");
}

TEST(Markdown, LeavesCodeBlocksAsTheyAre)
{
    EXPECT_EQ(html_of_markdown("<!-- run -->\n```sh\n$ a | b > **c**\n\n# no heading\n```\n"),
              "<pre><code>$ a | b &gt; **c**\n\n# no heading\n</code></pre>\n");
}

TEST(Markdown, HasListsAndTables)
{
    EXPECT_EQ(html_of_markdown("- one\n  and more\n- two\n"),
              "<ul>\n<li>one and more</li>\n<li>two</li>\n</ul>\n");
    EXPECT_EQ(html_of_markdown("|a|b|\n|---|---|\n|1|`2`|\n"),
              "<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td>1</td><td><code>2</code></td></tr>\n"
              "</table>\n");
}

TEST(Markdown, BearsMarksWithoutAnEnd)
{
    for (const char* text : {"`", "**", "[", "[a](", "[a", "```", "|", "- ", "#"})
        EXPECT_FALSE(html_of_markdown(text).empty()) << text;
    EXPECT_EQ(html_of_markdown("<script>"), "<p>&lt;script&gt;</p>\n");
}

}  // namespace
}  // namespace parley::api

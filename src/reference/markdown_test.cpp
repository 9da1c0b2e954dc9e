#include "reference/markdown.hpp"

#include <gtest/gtest.h>

namespace parley::reference {
namespace {

TEST(Markdown, HasHeadingsWithAnchorsAndParagraphs)
{
    EXPECT_EQ(html_of_markdown("# First call: now\n\nOne line,\nand another.\n\nNext.\n"),
              "<h1 id=\"first-call-now\">First call: now</h1>\n<p>One line,\nand another.</p>\n"
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
    EXPECT_EQ(
        html_of_markdown("<!-- run -->\n```sh\n$ a | b > **c**\n\n# no heading\n```\n"),
        "<pre><code class=\"language-sh\">$ a | b &gt; **c**\n\n# no heading\n</code></pre>\n");
}

TEST(Markdown, HasListsAndTables)
{
    EXPECT_EQ(html_of_markdown("- one\n  and more\n- two\n"),
              "<ul>\n<li>one\nand more</li>\n<li>two</li>\n</ul>\n");
    EXPECT_EQ(html_of_markdown("|a|b|\n|---|---|\n|1|`2`|\n"),
              "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n"
              "<tr>\n<td>1</td>\n<td><code>2</code></td>\n</tr>\n</tbody>\n</table>\n");
}

TEST(Markdown, GivesAnchorsToHeadingsWithMarksAndNoOtherTag)
{
    EXPECT_EQ(html_of_markdown("## The `model` field\n\n---\n"),
              "<h2 id=\"the-model-field\">The <code>model</code> field</h2>\n<hr>\n");
}

TEST(Markdown, ShowsRawHtmlAsText)
{
    EXPECT_EQ(html_of_markdown("<script>"), "<p>&lt;script&gt;</p>\n");
    EXPECT_EQ(html_of_inline_markdown("a <b> `c`"), "a &lt;b&gt; <code>c</code>");
}

TEST(Markdown, BearsMarksWithoutAnEnd)
{
    for (const char* text :
         {"`", "**", "[", "[a](", "[a", "```", "|", "- ", "#", "<h", "# ", "<!--"})
        EXPECT_NO_THROW(html_of_markdown(text)) << text;
    EXPECT_EQ(html_of_markdown(""), "");
}

}  // namespace
}  // namespace parley::reference

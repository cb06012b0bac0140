#include "services/console/report/page/html_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace da::console {
namespace {

template <class... Parts>
std::string html_of(const Parts&... parts) {
  std::string written;
  HtmlWriter html([&](std::string_view bytes) {
    written += bytes;
    return ok();
  });
  (html << ... << parts);
  EXPECT_TRUE(html.finish());
  return written;
}

TEST(HtmlWriter, EscapesMarkupInForeignText) {
  EXPECT_EQ(html_of(Foreign{"</bdi><script>\"'&"}), "<bdi>&lt;/bdi&gt;&lt;script&gt;&quot;&#39;&amp;</bdi>");
  EXPECT_EQ(html_of(Text{"</title>&amp;"}), "&lt;/title&gt;&amp;amp;");
}

TEST(HtmlWriter, ShowsControlAndInvisibleCharactersAsEscapes) {
  EXPECT_EQ(html_of(Foreign{"a\x1b[2J\n\u202eb"}), "<bdi>a\\x1b[2J\\n\\u{202e}b</bdi>");
  EXPECT_EQ(html_of(Foreign{"\xff\xfe"}), "<bdi>\\xff\\xfe</bdi>");
  EXPECT_EQ(html_of(ForeignLines{"a\n<b>\x07"}), "<bdi>a\n&lt;b&gt;\\x07</bdi>");
}

TEST(HtmlWriter, CutsLongText) { EXPECT_EQ(html_of(Foreign{std::string(100, '<'), 2}), "<bdi>&lt;&lt;...</bdi>"); }

TEST(HtmlWriter, NumbersAreNumbersWhateverTheyAre) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      html_of(Decimal{1.25}, HtmlWriter::Markup(" "), Decimal{kInfinity}, HtmlWriter::Markup(" "), Decimal{1e300}),
      "1.2 0.0 1000000000.0");
}

// RFC 4648, section 10, and a file that is encoded in several parts.
TEST(HtmlWriter, FilesAreBase64) {
  EXPECT_EQ(html_of(DataUrl{"image/png", "fooba"}), "data:image/png;base64,Zm9vYmE=");
  EXPECT_EQ(html_of(DataUrl{"image/png", ""}), "data:image/png;base64,");
  const std::string large(3 << 16, '\0');
  EXPECT_EQ(html_of(DataUrl{"image/png", large}), "data:image/png;base64," + std::string(4 << 16, 'A'));
}

TEST(HtmlWriter, KeepsTheFirstErrorOfItsFile) {
  int calls = 0;
  HtmlWriter html([&](std::string_view) -> Result<void> {
    return Error{Code::kUnavailable, "error " + std::to_string(++calls)};
  });
  for (int i = 0; i < 10; ++i) html << Foreign{std::string(100'000, 'x'), 100'000};
  const auto finished = html.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().message, "error 1");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace da::console

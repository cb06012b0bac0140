#include "services/console/terminal/questions/foreign_lines.h"

#include <gtest/gtest.h>

namespace da::console {
namespace {

TEST(ForeignLines, AShortLineStaysAsItIs) {
  EXPECT_EQ(marked_lines("", 80), "");
  EXPECT_EQ(marked_lines("  rule:     work", 80), "  rule:     work");
  EXPECT_EQ(marked_lines(std::string(80, 'a'), 80), std::string(80, 'a'));
}

TEST(ForeignLines, ContinuationLinesAreMarked) {
  EXPECT_EQ(marked_lines("0123456789012345678901234567890123456789", 20),
            "01234567890123456789\n  | 0123456789012345\n  | 6789");
}

TEST(ForeignLines, AWideCharacterTakesTwoColumns) {
  EXPECT_EQ(marked_lines("0123456789012345678\u4e00\u4e00", 20), "0123456789012345678\n  | \u4e00\u4e00");
}

TEST(ForeignLines, VeryNarrowTerminalDoesNotLoopForever) {
  EXPECT_EQ(marked_lines(std::string(21, 'a'), 0), std::string(20, 'a') + "\n  | a");
}

}  // namespace
}  // namespace da::console

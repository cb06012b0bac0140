// Text that others wrote reaches the terminal without control characters.
#include "lib/base/plain_output.h"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

namespace da {
namespace {

std::string plain(std::string_view text) {
  std::string pending;
  return without_controls(text, pending, Sequences::kOwn) + pending;
}

TEST(WithoutControls, ShowsControlCharactersAsEscapes) {
  EXPECT_EQ(plain("a\x1b]0;title\x07z"), "a\\u001b]0;title\\u0007z");
  EXPECT_EQ(plain("\x1b[2J\x1b[1;1H"), "\\u001b[2J\\u001b[1;1H");
  EXPECT_EQ(plain("over\rwritten\b\x7f"), "over\\u000dwritten\\u0008\\u007f");
  EXPECT_EQ(plain(std::string_view("\0", 1)), "\\u0000");
}

// A terminal takes U+009B for ESC [.
TEST(WithoutControls, ShowsC1ControlsOfUtf8AsEscapes) {
  EXPECT_EQ(plain("\xc2\x9b"
                  "31m"),
            "\\u009b31m");
}

TEST(WithoutControls, LeavesTextLinesTabsAndOwnSequences) {
  for (const std::string_view text : {"Gr\xc3\xbc\xc3\x9f"
                                      "e \xc2\xa7 \xe2\x80\xa6\n\tnext",
                                      "\x1b[32mdone\x1b[0m", "\r\x1b[K", "\x1b[97;40m  \x1b[0m\n"})
    EXPECT_EQ(plain(text), text);
}

TEST(WithoutControls, LetsNoTextClearItsLine) { EXPECT_EQ(plain("x\r\x1b[Ky"), "x\\u000d\\u001b[Ky"); }

TEST(WithoutControls, LeavesNoSequenceInALog) {
  std::string pending;
  EXPECT_EQ(without_controls("\x1b[32mdone", pending, Sequences::kNone), "\\u001b[32mdone");
}

TEST(WithoutControls, JoinsACharacterThatWasWrittenInTwoParts) {
  std::string pending;
  EXPECT_EQ(without_controls("a\xc2", pending, Sequences::kOwn), "a");
  EXPECT_EQ(without_controls("\x9b", pending, Sequences::kOwn), "\\u009b");
  EXPECT_EQ(without_controls("\xc2", pending, Sequences::kOwn), "");
  EXPECT_EQ(without_controls("\xa7", pending, Sequences::kOwn), "\xc2\xa7");
}

TEST(PlainOutput, FiltersTheStreamsWhileItExists) {
  std::ostringstream written;
  std::streambuf* const before = std::cout.rdbuf(written.rdbuf());
  {
    const PlainOutput output;
    std::cout << "file \x1b]52;c;AAAA\x07" << '\x1b' << 7 << std::endl;
  }
  std::cout << "\x1b";
  std::cout.rdbuf(before);
  EXPECT_EQ(written.str(), "file \\u001b]52;c;AAAA\\u0007\\u001b7\n\x1b");
}

}  // namespace
}  // namespace da

#include "services/console/stdio/line_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "lib/os/unique_fd.h"

namespace da::console {
namespace {

class LineReaderTest : public testing::Test {
 protected:
  LineReaderTest() {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    in_ = os::UniqueFd(ends[0]);
    out_ = os::UniqueFd(ends[1]);
  }

  void send(const std::string& text) {
    ASSERT_EQ(::write(out_.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  std::vector<std::string> lines() {
    std::vector<std::string> found;
    while (auto line = reader().take()) found.push_back(line->too_long ? "(too long)" : line->text);
    return found;
  }

  LineReader& reader() {
    if (!reader_) reader_.emplace(in_.get(), 10);
    return *reader_;
  }

  os::UniqueFd in_;
  os::UniqueFd out_;
  std::optional<LineReader> reader_;
};

using Lines = std::vector<std::string>;

TEST_F(LineReaderTest, SplitsWhatArrivesIntoLines) {
  send("one\ntwo\n\nthr");
  EXPECT_TRUE(reader().fill());
  EXPECT_EQ(lines(), (Lines{"one", "two", ""}));
  send("ee\n");
  EXPECT_TRUE(reader().fill());
  EXPECT_EQ(lines(), (Lines{"three"}));
}

TEST_F(LineReaderTest, TextAfterTheLastLineBreakIsALineAtTheEnd) {
  send("one\ntwo");
  EXPECT_TRUE(reader().fill());
  out_.reset();
  EXPECT_FALSE(reader().fill());
  EXPECT_EQ(lines(), (Lines{"one", "two"}));
  EXPECT_FALSE(reader().fill());
  EXPECT_EQ(lines(), Lines{});
}

TEST_F(LineReaderTest, LineOfTheLargestSizeIsKeptAndALongerOneDropped) {
  send("0123456789\n0123456789a\nnext\n");
  EXPECT_TRUE(reader().fill());
  EXPECT_EQ(lines(), (Lines{"0123456789", "(too long)", "next"}));
}

TEST_F(LineReaderTest, LongLineIsDroppedAcrossReads) {
  for (int i = 0; i < 5; ++i) {
    send("0123456789");
    EXPECT_TRUE(reader().fill());
  }
  EXPECT_EQ(lines(), Lines{});
  send("\nnext\n");
  EXPECT_TRUE(reader().fill());
  EXPECT_EQ(lines(), (Lines{"(too long)", "next"}));
}

TEST_F(LineReaderTest, ClosedDescriptorIsTheEnd) {
  LineReader closed(-1, 10);
  EXPECT_FALSE(closed.fill());
  EXPECT_FALSE(closed.take());
}

}  // namespace
}  // namespace da::console

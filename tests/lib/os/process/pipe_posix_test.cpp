#include "lib/os/process/pipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

namespace da::os {
namespace {

TEST(PipeMessages, ArriveWholeAndInOrder) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  const std::string large(300'000, 'x');  // More than the kernel's buffer.
  std::thread writer([&] {
    for (const std::string& one : {std::string(), std::string("a\0b", 3), large}) {
      EXPECT_TRUE(write_message(pipe->writer.get(), one));
    }
    pipe->writer.reset();
  });
  for (const std::string& one : {std::string(), std::string("a\0b", 3), large}) {
    const auto read = read_message(pipe->reader.get(), large.size());
    EXPECT_TRUE(read && *read && **read == one);
  }
  const auto end = read_message(pipe->reader.get(), 10);
  EXPECT_TRUE(end && !*end);
  writer.join();
}

TEST(PipeMessages, OnesThatAreCutOffOrTooLongAreErrors) {
  const auto problem = [](std::string_view bytes) {
    auto reader = make_filled_pipe(bytes);
    EXPECT_TRUE(reader);
    const auto read = read_message(reader->get(), 10);
    EXPECT_FALSE(read);
    return read ? "" : read.error().message;
  };
  using testing::HasSubstr;
  EXPECT_THAT(problem({"\x03\0\0\0ab", 6}), HasSubstr("cut off"));
  EXPECT_THAT(problem({"\x03\0", 2}), HasSubstr("cut off"));
  EXPECT_THAT(problem("\xff\xff\xff\xff"), HasSubstr("at most 10"));
}

TEST(PipeMessages, WithoutAReaderAreAnError) {
  ::signal(SIGPIPE, SIG_IGN);
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  pipe->reader.reset();
  const auto written = write_message(pipe->writer.get(), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::kUnavailable);
}

}  // namespace
}  // namespace da::os

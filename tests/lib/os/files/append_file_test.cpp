#include "lib/os/files/append_file.h"

#include <gtest/gtest.h>

#include "lib/base/path_text.h"
#include "lib/os/files/files.h"
#include "tests/file_access.h"
#include "tests/temp_dir.h"

namespace da::os {
namespace {

TEST(AppendFile, KeepsWhatIsThereAndIsPrivate) {
  const test::TempDir directory;
  const auto path = directory.path() / path_of("J\u00f6rg \u6f22");
  for (const char* line : {"one\n", "two\r\n", "three\x1a\n"}) {
    const auto file = AppendFile::open(path);
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE((*file)->append(line));
  }
  EXPECT_EQ(read_private_file(path).value(), "one\ntwo\r\nthree\x1a\n");
}

TEST(AppendFile, WritersOfTwoHandlesDoNotOverwriteEachOther) {
  const test::TempDir directory;
  const auto one = *AppendFile::open(directory.path() / "log");
  const auto two = *AppendFile::open(directory.path() / "log");
  ASSERT_TRUE(one->append("a"));
  ASSERT_TRUE(two->append("b"));
  ASSERT_TRUE(one->append("c"));
  EXPECT_EQ(read_file(directory.path() / "log").value(), "abc");
}

TEST(AppendFile, DirectoryIsAnError) {
  const test::TempDir directory;
  EXPECT_FALSE(AppendFile::open(directory.path()));
}

}  // namespace
}  // namespace da::os

#include "lib/os/files/file_watch.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <fstream>
#include <mutex>

#include "tests/temp_dir.h"

namespace da::os {
namespace {

class FileWatchTest : public testing::Test {
 protected:
  FileWatchTest() {
    write("first");
    watch_ = *FileWatch::open(file_, [this] {
      const std::lock_guard hold(mutex_);
      ++changes_;
      changed_.notify_all();
      return changes_ < readable_from_ ? FileWatch::Read::kAgain : FileWatch::Read::kDone;
    });
    EXPECT_EQ(changes(), 1) << "the file may have changed before it was watched";
    const std::lock_guard hold(mutex_);
    changes_ = 0;
  }
  ~FileWatchTest() override { watch_.reset(); }

  void write(const std::string& text) { std::ofstream(file_) << text; }
  bool changes_reach(int wanted) {
    std::unique_lock hold(mutex_);
    return changed_.wait_for(hold, std::chrono::seconds(10), [&] { return changes_ >= wanted; });
  }
  int changes() {
    const std::lock_guard hold(mutex_);
    return changes_;
  }

  test::TempDir directory_;
  const std::filesystem::path file_ = directory_.path() / "rules.toml";
  std::mutex mutex_;
  std::condition_variable changed_;
  int changes_ = 0;
  int readable_from_ = 0;
  std::unique_ptr<FileWatch> watch_;
};

TEST_F(FileWatchTest, ReportsWriteReplaceAndRemove) {
  EXPECT_EQ(changes(), 0);
  write("second");
  EXPECT_TRUE(changes_reach(1));
  const auto other = directory_.path() / "rules.toml.new";
  std::ofstream(other) << "third";
  std::filesystem::rename(other, file_);
  EXPECT_TRUE(changes_reach(2));
  std::filesystem::remove(file_);
  EXPECT_TRUE(changes_reach(3));
}

TEST_F(FileWatchTest, IgnoresOtherFiles) {
  for (int i = 0; i < 20; ++i) std::ofstream(directory_.path() / "other.toml") << "x";
  write("second");
  EXPECT_TRUE(changes_reach(1));
  EXPECT_LE(changes(), 3) << "one write may be reported as its truncation, its text and its end";
}

// More changes than the system's buffer holds are reported as an overflow, which says nothing of our file.
TEST_F(FileWatchTest, AStormOfOtherChangesHidesNone) {
  const std::string long_name(200, 'x');
  for (int i = 0; i < 500; ++i) std::ofstream(directory_.path() / (long_name + std::to_string(i))) << "x";
  const int before = changes();
  write("second");
  EXPECT_TRUE(changes_reach(before + 1));
}

TEST_F(FileWatchTest, RepeatsUntilReaderIsDone) {
  {
    const std::lock_guard hold(mutex_);
    readable_from_ = 4;
  }
  write("second");
  EXPECT_TRUE(changes_reach(4));
  write("third");
  EXPECT_TRUE(changes_reach(5));
}

TEST_F(FileWatchTest, MissingDirectoryIsAnError) {
  EXPECT_FALSE(FileWatch::open("/nowhere/at/all/rules.toml", [] { return FileWatch::Read::kDone; }));
}

}  // namespace
}  // namespace da::os

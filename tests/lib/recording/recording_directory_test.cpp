#include "lib/recording/recording_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/temp_dir.h"

namespace da::recording {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RecordingDirectory : public testing::Test {
 protected:
  void add(const std::string& name, std::size_t bytes, std::chrono::hours age) const {
    const auto file = directory_.path() / name;
    std::ofstream(file) << std::string(bytes, 'x');
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - age);
  }
  std::vector<std::string> deleted(const RecordingLimits& limits, const std::set<std::string>& keep = {}) const {
    std::set<std::filesystem::path> kept;
    for (const std::string& name : keep) kept.insert(directory_.path() / name);
    std::vector<std::string> names;
    for (const auto& file : delete_old(directory_.path(), limits, kept)) names.push_back(file.filename());
    return names;
  }

  const test::TempDir directory_;
  static constexpr std::chrono::hours kDay{24};
};

TEST_F(RecordingDirectory, OldestBeyondTheSizeAreDeleted) {
  for (const char* name : {"1.mcap", "2.mcap", "3.mcap", "4.mcap"}) add(name, 100, 3 * kDay);
  EXPECT_THAT(deleted({.bytes = 250}), ElementsAre("2.mcap", "1.mcap"));
  EXPECT_THAT(deleted({.bytes = 250}), IsEmpty());
}

TEST_F(RecordingDirectory, YoungOnesAreNotDeletedForTheirSize) {
  add("1.mcap", 100, kDay / 2);
  add("2.mcap", 100, kDay * 2);
  add("3.mcap", 1'000, kDay / 2);
  add("4.mcap", 1'000, kDay / 2);
  EXPECT_THAT(deleted({.bytes = 250}), ElementsAre("2.mcap"));
}

TEST_F(RecordingDirectory, NewestAndKeptOnesStay) {
  for (const char* name : {"1.mcap", "2.mcap", "3.mcap"}) add(name, 1'000, 100 * kDay);
  EXPECT_THAT(deleted({.age = 30 * kDay, .bytes = 1}, {"1.mcap"}), ElementsAre("2.mcap"));
}

TEST_F(RecordingDirectory, OtherFilesAreNotTouched) {
  add("1.txt", 1'000, 100 * kDay);
  add("2.mcap", 1'000, 100 * kDay);
  add("3.mcap", 1'000, 100 * kDay);
  EXPECT_THAT(deleted({}), ElementsAre("2.mcap"));
}

}  // namespace
}  // namespace da::recording

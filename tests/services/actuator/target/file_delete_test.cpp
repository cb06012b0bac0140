#include "services/actuator/target/file_delete.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "lib/base/path_text.h"
#include "tests/temp_dir.h"

namespace da::actuator {
namespace {

namespace fs = std::filesystem;

class FileDelete : public ::testing::Test {
 protected:
  static void write(const fs::path& path, const std::string& text = "text") { std::ofstream(path) << text; }
  // The identity of the file at `path`, as if it had been examined at `seen_at`.
  static FileIdentity identity(const fs::path& path, const fs::path& seen_at) {
    FileIdentity found = *identify_program(text_of(path));
    found.canonical_path = text_of(seen_at);
    return found;
  }
  static FileIdentity identity(const fs::path& path) { return identity(path, path); }
  fs::path file(const char* name) const { return fs::canonical(directory_.path()) / name; }

  test::TempDir directory_;
};

TEST_F(FileDelete, DeletesTheExaminedFile) {
  write(file("a"));
  EXPECT_TRUE(delete_exactly(identity(file("a"))).has_value());
  EXPECT_FALSE(fs::exists(file("a")));
}

TEST_F(FileDelete, KeepsAFileThatReplacedTheExaminedOne) {
  write(file("a"));
  const FileIdentity looked_at = identity(file("a"));
  write(file("b"), "other");
  fs::rename(file("b"), file("a"));
  EXPECT_EQ(delete_exactly(looked_at).error().code, Code::kAborted);
  EXPECT_TRUE(fs::exists(file("a")));
}

TEST_F(FileDelete, KeepsAFileThatWasModifiedSince) {
  write(file("a"));
  const FileIdentity looked_at = identity(file("a"));
  write(file("a"), "more than there was");
  EXPECT_EQ(delete_exactly(looked_at).error().code, Code::kAborted);
  EXPECT_TRUE(fs::exists(file("a")));
}

TEST_F(FileDelete, MissingFileIsAnError) {
  write(file("a"));
  const FileIdentity looked_at = identity(file("a"));
  fs::remove(file("a"));
  EXPECT_EQ(delete_exactly(looked_at).error().code, Code::kNotFound);
}

}  // namespace
}  // namespace da::actuator

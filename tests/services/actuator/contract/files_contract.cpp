#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "lib/base/path_text.h"
#include "tests/services/actuator/contract/stage.h"
#include "tests/temp_dir.h"

namespace da::actuator::contract {
namespace {

namespace fs = std::filesystem;

class FilesContract : public testing::Test {
 protected:
  static void write(const fs::path& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
  }
  static std::string content_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  fs::path file(std::string_view name) const { return fs::canonical(directory_.path()) / path_of(name); }
  // Writes the file and identifies it.
  FileIdentity make(std::string_view name, const std::string& content = "text") {
    write(file(name), content);
    const auto identity = files_.identify(text_of(file(name)));
    EXPECT_TRUE(identity) << identity.error().message;
    return identity.value_or(FileIdentity());
  }

  std::unique_ptr<Stage> stage_ = open_stage();
  Files& files_ = stage_->desktop().files();
  const test::TempDir directory_;
};

TEST_F(FilesContract, RemovedFileIsKeptWithItsContent) {
  const FileIdentity identity = make("a.txt", "content");
  const auto kept_as = files_.remove(identity);
  ASSERT_DONE(kept_as);
  EXPECT_FALSE(fs::exists(file("a.txt")));
  EXPECT_TRUE(path_of(*kept_as).is_absolute());
  EXPECT_EQ(content_of(path_of(*kept_as)), "content");
}

TEST_F(FilesContract, FileHasItsCanonicalPathAndSize) {
  make("a", "12345");
  fs::create_directory(file("inner"));
  const auto identity = files_.identify(text_of(file("inner") / ".." / "a"));
  ASSERT_DONE(identity);
  EXPECT_EQ(identity->canonical_path, text_of(file("a")));
  EXPECT_EQ(identity->size, 5U);
  EXPECT_EQ(*identity, files_.identify(text_of(file("a"))).value());
}

TEST_F(FilesContract, FileThatReplacedTheIdentifiedOneStays) {
  const FileIdentity identity = make("a");
  write(file("b"), "other");
  fs::rename(file("b"), file("a"));
  EXPECT_EQ(files_.remove(identity).error().code, Code::kAborted);
  EXPECT_EQ(content_of(file("a")), "other");
}

TEST_F(FilesContract, FileThatWasWrittenToStays) {
  const FileIdentity identity = make("a");
  write(file("a"), "more than there was");
  EXPECT_EQ(files_.remove(identity).error().code, Code::kAborted);
  EXPECT_EQ(content_of(file("a")), "more than there was");
}

TEST_F(FilesContract, DirectoryThatReplacedTheFileStays) {
  const FileIdentity identity = make("a");
  fs::remove(file("a"));
  fs::create_directory(file("a"));
  write(file("a") / "inner", "text");
  EXPECT_EQ(files_.remove(identity).error().code, Code::kAborted);
  EXPECT_EQ(content_of(file("a") / "inner"), "text");
}

TEST_F(FilesContract, MissingFileIsNotFound) {
  EXPECT_EQ(files_.identify(text_of(file("a"))).error().code, Code::kNotFound);
  const FileIdentity identity = make("a");
  fs::remove(file("a"));
  EXPECT_EQ(files_.remove(identity).error().code, Code::kNotFound);
}

TEST_F(FilesContract, DirectoriesAndRelativePathsAreNotIdentified) {
  EXPECT_EQ(files_.identify(text_of(file(""))).error().code, Code::kInvalidArgument);
  EXPECT_EQ(files_.identify("relative").error().code, Code::kInvalidArgument);
  EXPECT_EQ(files_.identify("").error().code, Code::kInvalidArgument);
}

TEST_F(FilesContract, FilesOfOneNameAreAllKept) {
  std::set<std::string> contents;
  for (const std::string content : {"first", "second", "third"}) {
    const auto kept_as = files_.remove(make("name.txt", content));
    ASSERT_DONE(kept_as);
    contents.insert(content_of(path_of(*kept_as)));
  }
  EXPECT_THAT(contents, testing::ElementsAre("first", "second", "third"));
}

TEST_F(FilesContract, FilesOfAnyNameAreKept) {
  for (const std::string& name :
       {std::string("no extension"), std::string(".hidden"), std::string("Grüße 漢字 \U0001f600 100%41 #1;[x].tar.gz"),
        std::string(120, 'x') + ".txt"}) {
    const auto kept_as = files_.remove(make(name, name));
    ASSERT_DONE(kept_as);
    EXPECT_EQ(content_of(path_of(*kept_as)), name);
    EXPECT_FALSE(fs::exists(file(name)));
  }
}

TEST_F(FilesContract, RemovedFileIsNotRemovedAgain) {
  const auto kept_as = files_.remove(make("a", "content"));
  ASSERT_DONE(kept_as);
  const auto identity = files_.identify(*kept_as);
  ASSERT_DONE(identity);
  EXPECT_EQ(files_.remove(*identity).error().code, Code::kFailedPrecondition);
  EXPECT_EQ(content_of(path_of(*kept_as)), "content");
}

TEST_F(FilesContract, ProgramThatWasReplacedHasAnotherIdentity) {
  make("program");
  const auto before = files_.identify_program(text_of(file("program")));
  ASSERT_DONE(before);
  EXPECT_EQ(*before, files_.identify_program(text_of(file("program"))).value());
  write(file("b"), "text");
  fs::rename(file("b"), file("program"));
  EXPECT_NE(*before, files_.identify_program(text_of(file("program"))).value());
}

}  // namespace
}  // namespace da::actuator::contract

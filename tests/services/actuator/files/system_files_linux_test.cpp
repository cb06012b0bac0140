#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "services/actuator/desktop/files/freedesktop_trash.h"
#include "services/actuator/desktop/files/system_files.h"
#include "tests/temp_dir.h"

namespace da::actuator {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// In memory, where thousands of tries are fast, although each of them syncs files.
class SystemFiles : public testing::Test {
 protected:
  fs::path file(const char* name) const { return fs::canonical(directory_.path()) / name; }
  std::size_t in_trash() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(file("trash/files")), {}));
  }
  static int tries() {
    const char* const wanted = std::getenv("DA_TRIES");
    return wanted != nullptr ? std::atoi(wanted) : 2'000;
  }

  const test::TempDir directory_{"/dev/shm"};
  std::unique_ptr<Files> files_ = open_system_files({.home_trash = directory_.path() / "trash"}, system_clock());
};

// Runs `exchange` again and again until this ends.
class Exchanging {
 public:
  explicit Exchanging(std::function<void()> exchange)
      : thread_([this, exchange = std::move(exchange)] {
          while (!ends_) exchange();
        }) {}
  ~Exchanging() {
    ends_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

TEST_F(SystemFiles, NoLinkInThePathIsFollowed) {
  fs::create_directories(file("real/deep"));
  write(file("real/deep/a"), "text");
  fs::create_directory_symlink(file("real"), file("link"));
  FileIdentity examined = *files_->identify(file("real/deep/a"));
  examined.canonical_path = file("link/deep/a");
  EXPECT_EQ(files_->remove(examined).error().code, Code::kAborted);
  EXPECT_TRUE(fs::exists(file("real/deep/a")));
}

TEST_F(SystemFiles, LinksAreNotIdentified) {
  write(file("a"), "text");
  fs::create_symlink(file("a"), file("link"));
  EXPECT_EQ(files_->identify(file("link")).error().code, Code::kInvalidArgument);
}

// A loop exchanges a directory above the file with a link to another one, which has a file of the same name.
// Regression: deleting by path deleted the other file in 263 of 2,000 tries.
TEST_F(SystemFiles, NoOtherFileIsRemovedWhileADirectoryIsExchangedWithALink) {
  fs::create_directories(file("place/deep"));
  fs::create_directories(file("other/deep"));
  write(file("other/deep/a"), "precious");
  fs::create_directory_symlink(file("other"), file("link"));
  const os::UniqueFd inside(::open(file("place/deep").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  ASSERT_TRUE(inside);
  int removed = 0;
  {
    const Exchanging exchanging([place = file("place").string(), link = file("link").string()] {
      (void)::renameat2(AT_FDCWD, place.c_str(), AT_FDCWD, link.c_str(), RENAME_EXCHANGE);
    });
    for (int i = 0; i < tries(); ++i) {
      const os::UniqueFd made(::openat(inside.get(), "a", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
      ASSERT_TRUE(made);
      FileIdentity examined = *files_->identify_program("/proc/self/fd/" + std::to_string(made.get()));
      examined.canonical_path = file("place") / "deep/a";
      const auto kept_as = files_->remove(examined);
      if (!kept_as) continue;
      ++removed;
      ASSERT_EQ(read(*kept_as), "");
      fs::remove(*kept_as);
    }
  }
  EXPECT_EQ(in_trash(), 0U);
  EXPECT_EQ(read(file("other/deep/a")), "precious");
  EXPECT_GT(removed, 0);
}

// A loop exchanges the file itself with another one. A name can only be moved as a name, so the other file may be moved
// to the trash for a moment; it must be back afterwards. The loop rests while one of both names is missing.
TEST_F(SystemFiles, FileThatIsExchangedAtTheLastMomentIsPutBack) {
  const fs::path meant = file("a");
  write(file("other"), "precious");
  int removed = 0;
  int refused = 0;
  const Exchanging exchanging([meant = meant.string(), other = file("other").string()] {
    (void)::renameat2(AT_FDCWD, meant.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
  });
  while (removed < tries() / 4 || removed + refused < tries()) {
    const os::UniqueFd made(::open(meant.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
    ASSERT_TRUE(made);
    for (bool is_there = true; is_there;) {
      FileIdentity examined = *files_->identify_program("/proc/self/fd/" + std::to_string(made.get()));
      examined.canonical_path = meant;
      const auto kept_as = files_->remove(examined);
      is_there = !kept_as;
      ++(kept_as ? removed : refused);
      if (!kept_as) {
        ASSERT_THAT(kept_as.error().message, testing::HasSubstr("so nothing was deleted"));
        continue;
      }
      ASSERT_EQ(read(*kept_as), "");
      fs::remove(*kept_as);
    }
    ASSERT_EQ(in_trash(), 0U);
    ASSERT_EQ(read(file("other")), "precious");
  }
  std::printf("%d removed, %d refused\n", removed, refused);
  EXPECT_GT(refused, 0);
}

TEST_F(SystemFiles, TrashKnowsThePathAndTheTime) {
  fs::create_directory(file("a b"));
  const fs::path path = file("a b") / "50% \n\xff.txt";
  write(path, "text");
  ASSERT_TRUE(files_->remove(*files_->identify(path)));
  const std::string info = read(file("trash/info") / (path.filename().string() + ".trashinfo"));
  const std::string head =
      "[Trash Info]\nPath=" + fs::canonical(directory_.path()).string() + "/a%20b/50%25%20%0A%FF.txt\n";
  ASSERT_THAT(info, testing::StartsWith(head));
  EXPECT_THAT(info.substr(head.size()), testing::MatchesRegex("DeletionDate=....-..-..T..:..:..\n"));
}

TEST_F(SystemFiles, LongNamesAreCutBetweenCharacters) {
  std::string name;
  while (name.size() < 250) name += "漢";
  write(file(name.c_str()), "text");
  const auto kept_as = files_->remove(*files_->identify(file(name.c_str())));
  ASSERT_TRUE(kept_as) << kept_as.error().message;
  EXPECT_EQ(read(*kept_as), "text");
  EXPECT_EQ(fs::path(*kept_as).filename().string(), name.substr(0, 243));
}

TEST_F(SystemFiles, NothingInTheTrashIsReplaced) {
  fs::create_directories(file("trash/files"));
  write(file("trash/files/a"), "without information");
  write(file("a"), "text");
  const auto kept_as = files_->remove(*files_->identify(file("a")));
  ASSERT_TRUE(kept_as) << kept_as.error().message;
  EXPECT_EQ(read(file("trash/files/a")), "without information");
  EXPECT_EQ(read(*kept_as), "text");
  EXPECT_FALSE(fs::exists(file("trash/info/a.trashinfo")));
}

TEST_F(SystemFiles, FileOfAnotherFileSystemGoesToTheTrashThere) {
  const auto files = open_system_files({.home_trash = "/proc/self/no-trash-can-be-here"}, system_clock());
  write(file("a"), "text");
  const auto kept_as = files->remove(*files->identify(file("a")));
  ASSERT_TRUE(kept_as) << kept_as.error().message;
  EXPECT_EQ(*kept_as,
            "/dev/shm/.Trash-" + std::to_string(::geteuid()) + "/files/" + fs::path(*kept_as).filename().string());
  EXPECT_EQ(read(*kept_as), "text");
  const fs::path info =
      fs::path(*kept_as).parent_path().parent_path() / "info" / (fs::path(*kept_as).filename().string() + ".trashinfo");
  EXPECT_THAT(read(info), testing::HasSubstr("\nPath=" + directory_.path().filename().string() + "/a\n"));
  fs::remove(*kept_as);
  fs::remove(info);
}

TEST_F(SystemFiles, NothingIsDeletedWhereNoTrashCanBe) {
  const auto version = files_->identify("/proc/version");
  ASSERT_TRUE(version) << version.error().message;
  const auto kept_as = files_->remove(*version);
  EXPECT_EQ(kept_as.error().code, Code::kFailedPrecondition);
  EXPECT_THAT(kept_as.error().message, testing::HasSubstr("there is no trash for \"/proc/version\""));
}

class FreedesktopTrashTest : public testing::Test {
 protected:
  FreedesktopTrashTest() { write(top_ / "a", "text"); }

  os::UniqueFd open(const fs::path& path, int flags) const {
    return os::UniqueFd(::open(path.c_str(), flags | O_CLOEXEC));
  }
  // Where the file `a` goes.
  Result<std::string> take() const {
    const os::UniqueFd top = open(top_, O_PATH | O_DIRECTORY);
    const os::UniqueFd entry = open(top_ / "a", O_PATH);
    ASSIGN_OR_RETURN(FreedesktopTrash trash, FreedesktopTrash::open_top(top, top_));
    return trash.take(top, "a", entry, top_ / "a", system_clock().wall_now());
  }
  bool is_kept() const { return read(top_ / "a") == "text"; }

  const test::TempDir directory_;
  const fs::path top_ = directory_.path();
  const std::string user_ = std::to_string(::geteuid());
  const fs::path own_ = top_ / (".Trash-" + user_);
};

TEST_F(FreedesktopTrashTest, SharedTrashWithTheStickyBitIsUsed) {
  fs::create_directory(top_ / ".Trash");
  ASSERT_EQ(::chmod((top_ / ".Trash").c_str(), 01777), 0);
  EXPECT_EQ(take().value_or(""), (top_ / ".Trash" / user_ / "files/a").string());
}

TEST_F(FreedesktopTrashTest, SharedTrashWithoutTheStickyBitIsNotUsed) {
  fs::create_directory(top_ / ".Trash");
  ASSERT_EQ(::chmod((top_ / ".Trash").c_str(), 0777), 0);
  EXPECT_EQ(take().value_or(""), (own_ / "files/a").string());
  EXPECT_TRUE(fs::is_empty(top_ / ".Trash"));
}

TEST_F(FreedesktopTrashTest, SharedTrashThatIsALinkIsNotUsed) {
  fs::create_directory(top_ / "elsewhere");
  ASSERT_EQ(::chmod((top_ / "elsewhere").c_str(), 01777), 0);
  fs::create_directory_symlink("elsewhere", top_ / ".Trash");
  EXPECT_EQ(take().value_or(""), (own_ / "files/a").string());
}

TEST_F(FreedesktopTrashTest, TrashThatIsALinkIsRefused) {
  fs::create_directory(top_ / "elsewhere");
  fs::create_directory_symlink("elsewhere", own_);
  EXPECT_FALSE(take());
  EXPECT_TRUE(is_kept());
  EXPECT_TRUE(fs::is_empty(top_ / "elsewhere"));
}

TEST_F(FreedesktopTrashTest, TrashThatOthersMayChangeIsRefused) {
  fs::create_directory(own_);
  ASSERT_EQ(::chmod(own_.c_str(), 0770), 0);
  EXPECT_EQ(take().error().code, Code::kPermissionDenied);
  EXPECT_TRUE(is_kept());
}

TEST_F(FreedesktopTrashTest, FolderOfFilesThatIsALinkIsRefused) {
  fs::create_directory(own_);
  fs::create_directory(top_ / "elsewhere");
  fs::create_directory_symlink(top_ / "elsewhere", own_ / "files");
  EXPECT_FALSE(take());
  EXPECT_TRUE(is_kept());
}

TEST_F(FreedesktopTrashTest, NameThatLeadsToAnotherFileIsPutBack) {
  write(top_ / "meant", "meant");
  const os::UniqueFd top = open(top_, O_PATH | O_DIRECTORY);
  const os::UniqueFd meant = open(top_ / "meant", O_PATH);
  auto trash = FreedesktopTrash::open_top(top, top_);
  ASSERT_TRUE(trash) << trash.error().message;
  EXPECT_EQ(trash->take(top, "a", meant, top_ / "a", system_clock().wall_now()).error().code, Code::kAborted);
  EXPECT_TRUE(is_kept());
  EXPECT_TRUE(fs::is_empty(own_ / "files"));
  EXPECT_TRUE(fs::is_empty(own_ / "info"));
}

}  // namespace
}  // namespace da::actuator

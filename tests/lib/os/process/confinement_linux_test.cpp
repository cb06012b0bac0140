#include "lib/os/process/confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/temp_dir.h"

namespace da::os {
namespace {

// The exit code of `work` in a child process: confinement cannot be undone, so each test confines a child.
int in_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The errno of open(); 0 if it succeeds.
int errno_of_open(const std::filesystem::path& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  ::close(fd);
  return 0;
}

int making_socket(int family) {
  const int fd = ::socket(family, SOCK_STREAM, 0);
  if (fd < 0) return errno;
  ::close(fd);
  return 0;
}

class ConfinementTest : public testing::Test {
 protected:
  ConfinementTest() {
    for (const char* name : {"readable", "writable", "sockets", "other"}) {
      std::filesystem::create_directory(place(name));
      std::ofstream(place(name) / "file") << "text";
    }
  }
  std::filesystem::path place(const std::string& name) const { return directory_.path() / name; }
  // The exit code of the confined child; 99 if confinement failed.
  int confined(const std::function<int()>& work, Network network = Network::kNone) const {
    const FileAccess files{.read = {place("readable")}, .write = {place("writable")}, .sockets = {place("sockets")}};
    return in_child([&] { return confine(files, network) ? work() : 99; });
  }

  const da::test::TempDir directory_;
};

TEST_F(ConfinementTest, OnlyAllowedFilesCanBeReadAndWritten) {
  ASSERT_GT(landlock_version(), 0) << "this kernel has no Landlock";
  const auto open_one = [this](const char* name, int flags) {
    return confined([this, name, flags] { return errno_of_open(place(name), flags); });
  };
  EXPECT_EQ(open_one("readable/file", O_RDONLY), 0);
  EXPECT_EQ(open_one("readable/file", O_WRONLY), EACCES);
  EXPECT_EQ(open_one("readable/new", O_WRONLY | O_CREAT), EACCES);
  EXPECT_EQ(open_one("writable/file", O_RDWR | O_TRUNC), 0);
  EXPECT_EQ(open_one("writable/new", O_WRONLY | O_CREAT), 0);
  EXPECT_EQ(open_one("sockets/file", O_RDONLY), EACCES);
  EXPECT_EQ(open_one("other/file", O_RDONLY), EACCES);
  EXPECT_EQ(open_one("other", O_RDONLY | O_DIRECTORY), EACCES);
  EXPECT_EQ(open_one("../", O_RDONLY | O_DIRECTORY), EACCES);
}

TEST_F(ConfinementTest, ReplacedFileInAllowedDirectoryCanBeRead) {
  std::ofstream(place("readable/next")) << "newer";
  const int code = in_child([this] {
    if (!confine({.read = {place("readable")}, .write = {}, .sockets = {}}, Network::kNone)) return 99;
    // A process that is not confined replaces the file in reality.
    return errno_of_open(place("readable/next"), O_RDONLY);
  });
  EXPECT_EQ(code, 0);
}

TEST_F(ConfinementTest, OtherProcessesAndProgramsAreInaccessible) {
  EXPECT_EQ(confined([] { return ::kill(::getppid(), 0) == 0 ? 0 : errno; }), EPERM);
  EXPECT_EQ(confined([] { return ::kill(0, 0) == 0 ? 0 : errno; }), EPERM);
  EXPECT_EQ(confined([] { return ::kill(::getpid(), 0) == 0 ? 0 : errno; }), 0);
  EXPECT_EQ(confined([] {
              ::execl("/bin/true", "true", nullptr);
              return errno;
            }),
            EPERM);
}

TEST_F(ConfinementTest, OnlyNeededSocketKindsCanBeCreated) {
  const auto make = [this](int family, Network network) {
    return confined([family] { return making_socket(family); }, network);
  };
  EXPECT_EQ(make(AF_UNIX, Network::kNone), 0);
  EXPECT_EQ(make(AF_INET, Network::kNone), EPERM);
  EXPECT_EQ(make(AF_INET6, Network::kNone), EPERM);
  EXPECT_EQ(make(AF_PACKET, Network::kTcp), EPERM);
  EXPECT_EQ(make(AF_INET, Network::kTcp), 0);
}

TEST_F(ConfinementTest, ForbidNewUnixSocketsTakesEffect) {
  EXPECT_EQ(confined([] { return forbid_new_unix_sockets() ? making_socket(AF_UNIX) : 99; }), EPERM);
  EXPECT_EQ(confined([] { return forbid_new_unix_sockets() ? making_socket(AF_INET) : 99; }, Network::kTcp), 0);
}

TEST_F(ConfinementTest, ForbidNewWatchesTakesEffect) {
  const auto watch = [] { return ::inotify_init1(IN_CLOEXEC) >= 0 ? 0 : errno; };
  EXPECT_EQ(confined(watch), 0);
  EXPECT_EQ(confined([&] { return forbid_new_watches() ? watch() : 99; }), EPERM);
}

// Landlock does not limit these, so they are refused for all files, also for those that may be written.
TEST_F(ConfinementTest, ModesTimesOwnersAndAttributesOfFilesCannotBeChanged) {
  for (const char* file : {"writable/file", "other/file"}) {
    SCOPED_TRACE(file);
    const std::string path = place(file).string();
    const auto refused = [](long result) { return result == 0 ? 0 : errno; };
    EXPECT_EQ(confined([&] { return refused(::chmod(path.c_str(), 0666)); }), EPERM);
    EXPECT_EQ(confined([&] { return refused(::syscall(452, AT_FDCWD, path.c_str(), 0666, 0)); }), EPERM);
    EXPECT_EQ(confined([&] { return refused(::chown(path.c_str(), ::getuid(), ::getgid())); }), EPERM);
    EXPECT_EQ(confined([&] { return refused(::utimensat(AT_FDCWD, path.c_str(), nullptr, 0)); }), EPERM);
    EXPECT_EQ(confined([&] { return refused(::setxattr(path.c_str(), "user.a", "x", 1, 0)); }), EPERM);
  }
}

TEST_F(ConfinementTest, NoNamespaceCanBeMade) {
  EXPECT_EQ(confined([] { return ::unshare(CLONE_NEWUSER) == 0 ? 0 : errno; }), EPERM);
  const auto clone_child = [](long child) {
    if (child == 0) ::_exit(0);
    return child > 0 ? 0 : errno;
  };
  EXPECT_EQ(confined([&] {
              return clone_child(::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
            }),
            EPERM);
  EXPECT_EQ(confined([&] {
              std::uint64_t arguments[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
              return clone_child(::syscall(SYS_clone3, arguments, sizeof arguments));
            }),
            ENOSYS);
}

TEST_F(ConfinementTest, ThreadsAndChildrenCanBeMade) {
  EXPECT_EQ(confined([] {
              int seen = 1;
              std::thread([&] { seen = 0; }).join();
              return seen;
            }),
            0);
  EXPECT_EQ(confined([] { return in_child([] { return 7; }); }), 7);
}

TEST_F(ConfinementTest, NoCapabilityIsLeft) {
  const auto status = [](std::string_view field) {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with(field)) return line.find_first_not_of("0", line.find('\t') + 1) == std::string::npos ? 0 : 1;
    }
    return 2;
  };
  for (const char* set : {"CapEff", "CapPrm", "CapInh", "CapAmb"}) EXPECT_EQ(confined([&] { return status(set); }), 0);
  EXPECT_EQ(confined([] { return ::setresuid(1, 1, 1) == 0 ? 0 : errno; }), EPERM);
}

}  // namespace
}  // namespace da::os

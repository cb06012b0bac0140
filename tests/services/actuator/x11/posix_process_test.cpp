#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>

#include "lib/os/process/child_process.h"
#include "services/actuator/desktop/x11/applications/open_files.h"
#include "services/actuator/desktop/x11/applications/posix_process.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kLimit{300};

// Whether this Python program sleeps for at least kLimit at some time within two seconds.
bool sleeps_long(const std::string& program) {
  os::Command command{.program = "/usr/bin/python3", .arguments = {"-c", program}, .environment = {}};
  const auto child = os::ChildProcess::start(command);
  EXPECT_TRUE(child) << child.error().message;
  for (int i = 0; child && i < 40; ++i) {
    std::this_thread::sleep_for(Milliseconds(50));
    if (sleeps_at_least(static_cast<std::uint32_t>(child->pid()), kLimit)) return true;
  }
  return false;
}

TEST(PosixSleep, ProcessWithoutTimeoutOrWithALongOneSleepsLong) {
  EXPECT_TRUE(sleeps_long("import select; select.poll().poll()"));
  EXPECT_TRUE(sleeps_long("import select; select.poll().poll(60000)"));
  EXPECT_TRUE(sleeps_long("import select; select.select([], [], [], 60)"));
  EXPECT_TRUE(sleeps_long("import os; os.read(os.pipe()[0], 1)"));
}

TEST(PosixSleep, ProcessWithATimerDueSoonDoesNotSleepLong) {
  EXPECT_FALSE(sleeps_long("import select\nwhile True: select.poll().poll(200)"));
  EXPECT_FALSE(sleeps_long("import select\nwhile True: select.select([], [], [], 0.2)"));
}

TEST(PosixSleep, OneThreadWithAShortTimeoutIsEnoughToBeAwake) {
  const std::string other = "import select, threading\ndef other():\n  while True: select.poll().poll(";
  const std::string both = ")\nthreading.Thread(target=other).start()\nselect.poll().poll()";
  EXPECT_TRUE(sleeps_long(other + "60000" + both));
  EXPECT_FALSE(sleeps_long(other + "200" + both));
}

TEST(PosixSleep, MissingProcessDoesNotSleep) { EXPECT_FALSE(sleeps_at_least(0x7ffffff0, kLimit)); }

TEST(PosixProcess, IsKnownOnlyAsItsOwnPids) {
  const auto own = static_cast<std::uint32_t>(::getpid());
  EXPECT_TRUE(is_known_as(own, own));
  EXPECT_FALSE(is_known_as(own, own + 1));
  EXPECT_FALSE(is_known_as(own, 0));
  EXPECT_FALSE(is_known_as(0, 0));
  EXPECT_FALSE(is_known_as(0x7ffffff0, 1));
}

// The process may end between opening and reading its file.
TEST(PosixProcess, ProcessThatEndsDuringReadingIsNoError) {
  std::atomic<std::uint32_t> pid = 0;
  const std::jthread starting([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const pid_t child = ::fork();
      if (child == 0) ::_exit(0);
      pid = static_cast<std::uint32_t>(child);
      ::waitpid(child, nullptr, 0);
    }
  });
  constexpr std::size_t kWanted = 500;
  std::set<std::uint32_t> seen;
  const auto end = std::chrono::steady_clock::now() + Milliseconds(30'000);
  while (seen.size() < kWanted && std::chrono::steady_clock::now() < end) {
    if (start_of(pid) != 0) seen.insert(pid);
  }
  EXPECT_EQ(seen.size(), kWanted);
}

TEST(MayBeStartedBy, AnAncestorOrAServiceButNoOtherProgram) {
  const auto self = static_cast<std::uint32_t>(::getpid());
  const auto parent = static_cast<std::uint32_t>(::getppid());
  const pid_t sibling = ::fork();
  if (sibling == 0) {
    ::pause();
    ::_exit(0);
  }
  ASSERT_GT(sibling, 0);
  const auto child = static_cast<std::uint32_t>(sibling);
  EXPECT_TRUE(may_be_started_by(child, self));
  EXPECT_TRUE(may_be_started_by(child, parent));
  const pid_t other = ::fork();
  if (other == 0) {
    ::pause();
    ::_exit(0);
  }
  ASSERT_GT(other, 0);
  EXPECT_FALSE(may_be_started_by(static_cast<std::uint32_t>(other), child));
  EXPECT_TRUE(may_be_started_by(1, child));
  for (const pid_t each : {sibling, other}) {
    ::kill(each, SIGKILL);
    ::waitpid(each, nullptr, 0);
  }
}

TEST(OpenFiles, ArgumentsAndFilesOpenForWritingOfAProgramAndItsDescendants) {
  const auto folder =
      std::filesystem::canonical(std::filesystem::temp_directory_path()) / ("open-files-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const char* name : {"named", "option", "written", "read", "of-child"}) std::ofstream(folder / name) << "x";
  std::filesystem::create_symlink(folder / "named", folder / "link");
  const std::string program =
      "import os, subprocess, sys\n"
      "os.chdir('" +
      folder.string() +
      "')\n"
      "held = open('written', 'a'), open('read')\n"
      "subprocess.run(['/bin/sh', '-c', 'read line', 'sh', 'of-child'])\n";
  // The shell reads our pipe, so that it ends with the test.
  int ends[2] = {};
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  os::Command command{.program = "/usr/bin/python3",
                      .arguments = {"-c", program, (folder / "link").string(), "--file=" + (folder / "option").string(),
                                    (folder / "absent").string(), folder.string()},
                      .environment = {},
                      .input = ends[0]};
  auto child = os::ChildProcess::start(command);
  ::close(ends[0]);
  ASSERT_TRUE(child) << child.error().message;
  const auto wanted = [&](std::initializer_list<const char*> names) {
    std::set<std::string> paths;
    for (const char* name : names) paths.insert((folder / name).string());
    return paths;
  };
  std::set<std::string> found;
  for (int i = 0; i < 200 && found.size() < 5; ++i) {
    std::this_thread::sleep_for(Milliseconds(25));
    const auto files = open_files_of(static_cast<std::uint32_t>(child->pid()));
    // Ignore the files that the test's own runner has passed on.
    found.clear();
    for (const std::string& file : files) {
      if (file.starts_with(folder.string())) found.insert(file);
    }
  }
  EXPECT_EQ(found, wanted({"named", "option", "written", "of-child", ""}));
  ::close(ends[1]);
  EXPECT_TRUE(child->wait(system_clock().now() + Milliseconds(5'000)));
  EXPECT_TRUE(open_files_of(static_cast<std::uint32_t>(child->pid())).empty());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace da::actuator::x11

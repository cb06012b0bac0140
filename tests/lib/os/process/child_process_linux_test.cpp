#include "lib/os/process/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>

namespace da::os {
namespace {

MonoTime in(Milliseconds time) { return system_clock().now() + time; }

TEST(ChildProcess, ReportsExitCode) {
  auto child = ChildProcess::start({.program = "/bin/sh", .arguments = {"-c", "exit 7"}});
  ASSERT_TRUE(child) << child.error().message;
  EXPECT_EQ(child->wait(in(Milliseconds(5000))), "exit code 7");
  EXPECT_EQ(child->exit_code(), 7);
}

TEST(ChildProcess, ReportsSignal) {
  auto child = ChildProcess::start({.program = "/bin/sleep", .arguments = {"600"}});
  ASSERT_TRUE(child);
  child->send_signal(SIGKILL);
  EXPECT_EQ(child->wait(in(Milliseconds(5000))), "killed by signal 9");
  EXPECT_FALSE(child->exit_code().has_value());
}

TEST(ChildProcess, MissingProgramIsAnError) {
  const auto child = ChildProcess::start({.program = "/nowhere/at/all"});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code, Code::kNotFound);
}

TEST(ChildProcess, InheritsOnlyNamedDescriptors) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, 0), 0);
  const UniqueFd reader(ends[0]);
  const UniqueFd writer(ends[1]);
  auto child = ChildProcess::start({.program = "/bin/sh",
                                    .arguments = {"-c", "test \"$NAME\" = value && test -z \"$HOME\""},
                                    .environment = {"NAME=value"}});
  ASSERT_TRUE(child);
  child->wait(in(Milliseconds(5000)));
  EXPECT_EQ(child->exit_code(), 0);
}

TEST(RunToEnd, ReturnsOutputAndExit) {
  const auto run =
      run_to_end({.program = "/bin/sh", .arguments = {"-c", "echo one; echo two; exit 3"}}, in(Milliseconds(5000)));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->output, "one\ntwo\n");
  EXPECT_EQ(run->ended, "exit code 3");
  EXPECT_EQ(run->exit_code, 3);
}

TEST(RunToEnd, KillsCommandAtDeadline) {
  const auto begun = system_clock().now();
  const auto run = run_to_end({.program = "/bin/sleep", .arguments = {"600"}}, in(Milliseconds(50)));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, Code::kDeadlineExceeded);
  EXPECT_LT(system_clock().now() - begun, Milliseconds(5000));
}

TEST(ChildProcess, IsKilledByDestructor) {
  pid_t pid = 0;
  {
    auto child = ChildProcess::start({.program = "/bin/sleep", .arguments = {"600"}});
    ASSERT_TRUE(child);
    pid = child->pid();
  }
  EXPECT_EQ(::kill(pid, 0), -1);
}

}  // namespace
}  // namespace da::os

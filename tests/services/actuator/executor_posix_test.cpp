#include <filesystem>
#include <fstream>

#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

// libstdc++ makes no links on Windows.
TEST_F(ExecutorTest, DoesNotDeleteThroughALink) {
  std::ofstream(directory_ / "precious") << "x";
  std::filesystem::create_symlink(directory_ / "precious", directory_ / "link");
  v1::Action action;
  action.mutable_file_delete()->set_path(directory_ / "link");
  EXPECT_EQ(run(action).code(), v1::Outcome::CODE_INVALID);
  EXPECT_TRUE(std::filesystem::exists(directory_ / "precious"));
}

TEST_F(ExecutorTest, FileWithoutATrashIsNotDeleted) {
  v1::Action action;
  action.mutable_file_delete()->set_path("/proc/version");
  const v1::Outcome outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_UNSUPPORTED) << outcome.message();
}

}  // namespace
}  // namespace da::actuator

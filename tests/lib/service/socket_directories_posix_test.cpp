#include "lib/service/socket_directories.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/temp_dir.h"

namespace da::service {
namespace {

TEST(SocketDirectories, AreCreatedPrivateIfMissing) {
  const da::test::TempDir parent;
  const std::string at = parent.path().string();
  const auto config = Config::parse("[endpoints]\npolicy = \"unix:" + at + "/a/policy.sock\"\nactuator = \"unix:" + at +
                                        "/not-mine/actuator.sock\"\n[bus.policy]\nfacts = \"ipc://" + at +
                                        "/b/policy.ipc\"\nimages = \"tcp://127.0.0.1:7461\"\n",
                                    "test");
  ASSERT_TRUE(make_socket_directories(*config, "policy"));
  for (const char* name : {"a", "b"}) {
    struct stat info {};
    ASSERT_EQ(::stat((parent.path() / name).c_str(), &info), 0) << name;
    EXPECT_EQ(info.st_mode & 0777, 0700U) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(parent.path() / "not-mine"));
  EXPECT_TRUE(make_socket_directories(*config, "policy"));
}

}  // namespace
}  // namespace da::service

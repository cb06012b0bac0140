#include "lib/service/config.h"

#include <gtest/gtest.h>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "tests/temp_dir.h"

namespace da::service {
namespace {

TEST(Config, RelativePathStartsAtDirectoryOfFile) {
  const da::test::TempDir directory;
  const auto elsewhere = std::filesystem::temp_directory_path() / "peers.toml";
  ASSERT_TRUE(os::write_private_file(directory.path() / "policy.toml",
                                     "[identity]\nfile = \"policy.identity.toml\"\n[peers]\nfile = " +
                                         quote_toml(text_of(elsewhere)) + "\n[policy]\nrules = 3\n"));
  const auto config = Config::load(directory.path() / "policy.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->path("identity.file").value(), directory.path() / "policy.identity.toml");
  EXPECT_EQ(config->find_path("identity.file").value(), directory.path() / "policy.identity.toml");
  EXPECT_EQ(config->path("peers.file").value(), elsewhere);
  EXPECT_EQ(config->find_path("policy.audit_heads").value(), std::nullopt);
  EXPECT_EQ(config->path("policy.audit_heads").error().code, Code::kNotFound);
  EXPECT_FALSE(config->find_path("policy.rules"));
}

}  // namespace
}  // namespace da::service

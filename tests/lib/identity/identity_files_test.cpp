#include <gtest/gtest.h>

#include "lib/identity/certificate_authority.h"
#include "lib/identity/identity.h"
#include "lib/os/files/files.h"
#include "tests/file_access.h"
#include "tests/temp_dir.h"

namespace da::identity {
namespace {

using test::Access;

class IdentityFiles : public testing::Test {
 protected:
  const Validity valid_{system_clock().wall_now(), std::chrono::hours(24)};
  const CertificateAuthority authority_ = CertificateAuthority::create("Test authority", valid_).value();
  const Identity actuator_ = authority_.issue(Role::kActuator, "actuator@vm", valid_).value();
  const test::TempDir directory_;
};

TEST_F(IdentityFiles, IdentityIsLoadedOnlyFromAPrivateFile) {
  const auto file = directory_.path() / "actuator.identity.toml";
  EXPECT_EQ(load_identity(file).error().code, Code::kNotFound);
  ASSERT_TRUE(os::write_private_file(file, to_toml(actuator_)));
  const auto loaded = load_identity(file);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->name, "actuator@vm");
  test::set_access(file, Access::kOthersMayRead);
  EXPECT_EQ(load_identity(file).error().code, Code::kPermissionDenied);
}

TEST_F(IdentityFiles, PeersAreLoadedOnlyFromAFileThatOthersCannotWrite) {
  Peers peers;
  peers.ca_pem = authority_.certificate_pem();
  peers.list.push_back(authority_.peer_of(actuator_));
  const auto file = directory_.path() / "peers.toml";
  ASSERT_TRUE(os::write_private_file(file, to_toml(peers)));
  test::set_access(file, Access::kOthersMayRead);
  EXPECT_EQ(load_peers(file)->list.size(), 1U);
  test::set_access(file, Access::kOthersMayWrite);
  EXPECT_EQ(load_peers(file).error().code, Code::kPermissionDenied);
}

}  // namespace
}  // namespace da::identity

#include "services/policy/grant/grants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/services/policy/test_key.h"
#include "tests/temp_dir.h"

namespace da::policy {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

fs::path key_file(const da::test::TempDir& dir, const std::string& content, fs::perms perms) {
  const auto path = dir.path() / "key";
  std::ofstream(path) << content;
  fs::permissions(path, perms);
  return path;
}

constexpr auto kPrivate = fs::perms::owner_read | fs::perms::owner_write;

TEST(GrantSigner, SignsWhatTheActuatorVerifies) {
  const test::TestKey key;
  const da::test::TempDir dir;
  const auto signer = GrantSigner::load(key_file(dir, key.secret_hex + "\n", kPrivate));
  ASSERT_TRUE(signer) << signer.error().message;
  v1::GrantClaims claims;
  claims.set_grant_id("g1");
  const v1::Grant grant = signer->sign(claims);
  EXPECT_TRUE(key.verifies(grant.claims(), grant.signature()));
  EXPECT_FALSE(key.verifies(grant.claims() + "x", grant.signature()));
  EXPECT_FALSE(test::TestKey().verifies(grant.claims(), grant.signature()));
  v1::GrantClaims read;
  ASSERT_TRUE(read.ParseFromString(grant.claims()));
  EXPECT_EQ(read.grant_id(), "g1");
  EXPECT_EQ(signer->public_key_hex(), to_hex(key.public_bytes));
}

TEST(GrantSigner, RefusesAKeyThatOthersMayRead) {
  const da::test::TempDir dir;
  const auto signer = GrantSigner::load(key_file(dir, test::TestKey().secret_hex, kPrivate | fs::perms::group_read));
  ASSERT_FALSE(signer);
  EXPECT_EQ(signer.error().code, Code::kPermissionDenied);
}

TEST(GrantSigner, RefusesInvalidKeys) {
  const std::string good = test::TestKey().secret_hex;
  for (const std::string& bad : {std::string(), good.substr(2), good + "00", "zz" + good.substr(2)}) {
    const auto signer = GrantSigner::from_hex(bad, "key");
    ASSERT_FALSE(signer) << bad;
    EXPECT_THAT(signer.error().message, HasSubstr("128 hexadecimal digits"));
  }
}

TEST(GrantSigner, RefusesMismatchedKeyHalves) {
  const std::string mixed = test::TestKey().secret_hex.substr(0, 64) + test::TestKey().secret_hex.substr(64);
  const auto signer = GrantSigner::from_hex(mixed, "key");
  ASSERT_FALSE(signer);
  EXPECT_THAT(signer.error().message, HasSubstr("public half"));
}

TEST(GrantSigner, MissingKeyFileIsNamedInTheError) {
  const auto signer = GrantSigner::load("/nonexistent/key");
  ASSERT_FALSE(signer);
  EXPECT_THAT(signer.error().message, HasSubstr("/nonexistent/key"));
}

}  // namespace
}  // namespace da::policy

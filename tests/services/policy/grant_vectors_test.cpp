// The policy signs exactly the documented bytes. tests/services/actuator tests the other side, and
// tests/lib/contract/grant_vectors.py builds the vectors without our code.
#include "tests/grant_vectors.h"

#include <gtest/gtest.h>

#include "lib/base/id.h"
#include "lib/contract/digest.h"
#include "lib/contract/evidence/sealed_evidence.h"
#include "services/policy/grant/grants.h"

namespace da::policy {
namespace {

class GrantVectors : public testing::Test {
 protected:
  GrantVectors() {
    EXPECT_GE(sodium_init(), 0);
    EXPECT_EQ(vectors_.size(), 10U);
  }
  const std::string& of(const std::string& name) { return vectors_[name]; }

  std::map<std::string, std::string> vectors_ = da::test::grant_vectors(DA_GRANTS_DOCUMENT);
};

v1::Window window() {
  v1::Window window;
  window.set_window_id("0x1400003");
  window.set_title("Grüße - Editor");
  window.set_pid(4711);
  window.set_executable("/usr/bin/editor");
  window.mutable_bounds()->set_x(60);
  window.mutable_bounds()->set_y(-20);
  window.mutable_bounds()->set_width(640);
  window.mutable_bounds()->set_height(480);
  window.set_focused(true);
  window.set_process_start(123456789012);
  return window;
}

TEST_F(GrantVectors, AnActionsDigestIsThatOfItsDeterministicBytes) {
  v1::Action action;
  action.mutable_mouse()->set_clicks(2);
  action.mutable_mouse()->set_y(-2);
  action.mutable_mouse()->set_x(300);
  EXPECT_EQ(contract::canonical_bytes(action), of("action"));
  EXPECT_EQ(contract::digest(action), of("action_digest"));
}

TEST_F(GrantVectors, EvidenceHasTheSameDigestAfterTheWire) {
  v1::Evidence evidence;
  evidence.mutable_target_area()->set_x(299);
  evidence.mutable_target_area()->set_y(-3);
  evidence.mutable_target_area()->set_width(2);
  evidence.mutable_target_area()->set_height(2);
  evidence.set_target_pixels(std::string("\0\x7f\xff\x10", 4));
  evidence.mutable_target_point()->set_x(300);
  evidence.mutable_target_point()->set_y(-2);
  *evidence.mutable_target_window() = window();
  *evidence.mutable_foreground() = window();
  evidence.set_action_digest(of("action_digest"));
  evidence.set_challenge("00112233445566778899aabbccddeeff");
  evidence.set_boot_id("0f0e0d0c0b0a09080706050403020100");
  EXPECT_EQ(contract::canonical_bytes(evidence), of("evidence"));
  EXPECT_EQ(contract::seal(evidence).digest(), of("evidence_digest"));
  const auto received = contract::unseal(of("evidence"));
  ASSERT_TRUE(received);
  EXPECT_EQ(received->evidence.SerializeAsString(), evidence.SerializeAsString());
  EXPECT_EQ(received->digest(), of("evidence_digest"));
}

// Another build may write the fields in another order.
TEST_F(GrantVectors, EvidenceIsDigestedAsItWasReceived) {
  const std::string reversed = std::string("\x12\x01") + "c" + std::string("\x0a\x01") + "b";
  const auto received = contract::unseal(reversed);
  ASSERT_TRUE(received);
  EXPECT_EQ(received->evidence.challenge(), "c");
  EXPECT_EQ(received->digest(), blake2b(reversed));
  EXPECT_NE(received->digest(), contract::digest(received->evidence));
  EXPECT_EQ(contract::unseal("\x0a").error().code, Code::kDataLoss);
}

TEST_F(GrantVectors, TheSignatureCoversTheDomainAndTheClaimsAsSent) {
  unsigned char public_key[crypto_sign_PUBLICKEYBYTES];
  unsigned char secret_key[crypto_sign_SECRETKEYBYTES];
  crypto_sign_seed_keypair(public_key, secret_key, reinterpret_cast<const unsigned char*>(of("seed").data()));
  const auto signer =
      GrantSigner::from_hex(to_hex({reinterpret_cast<const char*>(secret_key), sizeof(secret_key)}), "vectors");
  ASSERT_TRUE(signer) << signer.error().message;
  EXPECT_EQ(signer->public_key_hex(), to_hex(of("public_key")));
  v1::GrantClaims claims;
  ASSERT_TRUE(claims.ParseFromString(of("claims")));
  EXPECT_EQ(claims.action_digest(), of("action_digest"));
  EXPECT_EQ(claims.evidence_digest(), of("evidence_digest"));
  const v1::Grant grant = signer->sign(claims);
  EXPECT_EQ(contract::grant_signing_input(grant.claims()), of("signing_input"));
  EXPECT_EQ(grant.signature(), of("signature"));
  EXPECT_EQ(contract::canonical_bytes(grant), of("grant"));
}

}  // namespace
}  // namespace da::policy

// Grants that are forged, altered, truncated, expired, replayed, swapped, or of another desktop, task, start or policy.
// A thief reads every Execute on the wire and may send anything, but does not have the policy's key.
#include <gtest/gtest.h>

#include "lib/contract/digest.h"
#include "tests/acted.h"
#include "tests/redteam/world.h"

namespace da::redteam {
namespace {

class ForgedGrants : public testing::Test {
 protected:
  ForgedGrants() { world_.open_editor(); }

  // Returns a request with a grant that the policy signed but the actuator never received.
  v1::ExecuteRequest steal(const v1::Action& action) {
    v1::ExecuteRequest stolen;
    world_.on_next_execute([&](v1::ExecuteRequest& sent) {
      stolen = sent;
      sent.clear_grant();
    });
    EXPECT_EQ(world_.reply(task_, action).outcome().code(), v1::Outcome::CODE_BAD_GRANT);
    EXPECT_FALSE(stolen.grant().claims().empty());
    return stolen;
  }
  v1::ExecuteRequest signed_as(const v1::ExecuteRequest& stolen, const std::function<void(v1::GrantClaims&)>& change) {
    v1::GrantClaims claims;
    EXPECT_TRUE(claims.ParseFromString(stolen.grant().claims()));
    change(claims);
    auto request = stolen;
    *request.mutable_grant() = policy::GrantSigner::from_hex(world_.key().secret_hex, "key")->sign(claims);
    return request;
  }
  void expect_refused(const v1::ExecuteRequest& request, const std::string& what) {
    const std::string before = world_.traces();
    const auto outcome = world_.execute_stolen(request);
    EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_REFUSED) << what;
    EXPECT_EQ(outcome.code(), v1::Outcome::CODE_BAD_GRANT) << what;
    EXPECT_EQ(world_.traces(), before) << what;
  }

  World world_;
  const World::Open task_ = world_.open_unlocked();
};

// Control for the other tests: without a change the grant is valid.
TEST_F(ForgedGrants, UnchangedStolenGrantWorksOnce) {
  const auto stolen = steal(write("x"));
  EXPECT_TRUE(test::acted(world_.execute_stolen(stolen)));
  EXPECT_EQ(world_.typed(), "x");
}

TEST_F(ForgedGrants, EveryAlteredBitAndEveryTruncationIsRefused) {
  const auto stolen = steal(write("x"));
  for (std::size_t at = 0; at < stolen.grant().claims().size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      auto altered = stolen;
      (*altered.mutable_grant()->mutable_claims())[at] ^= static_cast<char>(1 << bit);
      expect_refused(altered, "claims, byte " + std::to_string(at));
    }
    auto cut = stolen;
    cut.mutable_grant()->mutable_claims()->resize(at);
    expect_refused(cut, "claims cut at " + std::to_string(at));
  }
  for (std::size_t at = 0; at < stolen.grant().signature().size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      auto altered = stolen;
      (*altered.mutable_grant()->mutable_signature())[at] ^= static_cast<char>(1 << bit);
      expect_refused(altered, "signature, byte " + std::to_string(at));
    }
    auto cut = stolen;
    cut.mutable_grant()->mutable_signature()->resize(at);
    expect_refused(cut, "signature cut at " + std::to_string(at));
  }
  for (const char* more : {"\0", "x"}) {
    auto longer = stolen;
    longer.mutable_grant()->mutable_claims()->append(more, 1);
    expect_refused(longer, "claims that go on");
    longer = stolen;
    longer.mutable_grant()->mutable_signature()->append(more, 1);
    expect_refused(longer, "a signature that goes on");
  }
}

TEST_F(ForgedGrants, AnotherKeyOrSignatureDomainIsRefused) {
  const auto stolen = steal(write("x"));
  auto forged = stolen;
  const policy::test::TestKey other;
  v1::GrantClaims claims;
  ASSERT_TRUE(claims.ParseFromString(stolen.grant().claims()));
  *forged.mutable_grant() = policy::GrantSigner::from_hex(other.secret_hex, "other")->sign(claims);
  expect_refused(forged, "another key");
  // The same bytes signed without the signature domain, as another protocol with this key might do.
  std::string signature(crypto_sign_BYTES, '\0');
  std::string secret(crypto_sign_SECRETKEYBYTES, '\0');
  ASSERT_EQ(sodium_hex2bin(reinterpret_cast<unsigned char*>(secret.data()), secret.size(),
                           world_.key().secret_hex.data(), world_.key().secret_hex.size(), nullptr, nullptr, nullptr),
            0);
  const std::string& bytes = stolen.grant().claims();
  crypto_sign_detached(reinterpret_cast<unsigned char*>(signature.data()), nullptr,
                       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                       reinterpret_cast<const unsigned char*>(secret.data()));
  forged = stolen;
  forged.mutable_grant()->set_signature(signature);
  expect_refused(forged, "no domain");
}

// Even with a valid signature, the actuator acts only on the action and evidence that it prepared.
TEST_F(ForgedGrants, ClaimsAboutAnythingElseAreRefused) {
  const std::vector<std::pair<const char*, std::function<void(v1::GrantClaims&)>>> changes = {
      {"start", [](auto& claims) { claims.set_boot_id(random_hex(16)); }},
      {"challenge", [](auto& claims) { claims.set_challenge(random_hex(16)); }},
      {"no challenge", [](auto& claims) { claims.clear_challenge(); }},
      {"action", [](auto& claims) { claims.set_action_digest(contract::digest(write("y"))); }},
      {"evidence", [](auto& claims) { claims.set_evidence_digest(contract::digest(v1::Evidence())); }},
      {"task", [](auto& claims) { claims.set_task_id("another"); }},
      {"step", [](auto& claims) { claims.set_step_id("another"); }},
      {"desktop", [](auto& claims) { claims.set_desktop_id("x11:0"); }},
      {"no desktop", [](auto& claims) { claims.clear_desktop_id(); }},
      {"no name", [](auto& claims) { claims.clear_grant_id(); }}};
  for (const auto& [what, change] : changes) expect_refused(signed_as(steal(write("x")), change), what);
}

TEST_F(ForgedGrants, ActionOtherThanTheGrantedOneIsRefused) {
  for (const auto& other :
       {write("y"), paste("x"), press({"x"}), hotkey({"ctrl", "s"}), file_delete("/etc/hostname")}) {
    auto swapped = steal(write("x"));
    *swapped.mutable_action() = other;
    expect_refused(swapped, other.ShortDebugString());
  }
  auto bare = steal(write("x"));
  bare.clear_action();
  expect_refused(bare, "no action");
}

TEST_F(ForgedGrants, GrantsOfTwoStepsAreNotSwapped) {
  const auto one = steal(write("one"));
  const auto two = steal(write("two"));
  auto swapped = one;
  *swapped.mutable_grant() = two.grant();
  expect_refused(swapped, "one's action, two's grant");
  swapped = two;
  *swapped.mutable_grant()->mutable_claims() = one.grant().claims();
  expect_refused(swapped, "one's claims, two's signature");
}

TEST_F(ForgedGrants, GrantExpiresWhateverItClaims) {
  const auto late = steal(write("x"));
  world_.clock().advance(Milliseconds(2'001));
  expect_refused(late, "after its two seconds");
  const auto eternal = signed_as(steal(write("x")), [](auto& claims) { claims.set_valid_ms(4'294'967'295U); });
  world_.clock().advance(Milliseconds(60'001));
  expect_refused(eternal, "after a minute, claiming 49 days");
}

TEST_F(ForgedGrants, ReplayDoesNothingAfterSuccessRefusalOrInterruption) {
  ASSERT_TRUE(test::acted(world_.reply(task_, write("once")).outcome()));
  const auto spent = world_.wire().back();
  for (int i = 0; i < 3; ++i) world_.execute_stolen(spent);
  EXPECT_EQ(world_.typed(), "once");

  const auto stale = steal(write("never"));
  world_.open_field("another window", "/usr/bin/other");
  EXPECT_EQ(world_.execute_stolen(stale).code(), v1::Outcome::CODE_STALE_TARGET);
  world_.desktop().change([](auto& windows) { windows.pop_front(); });
  expect_refused(stale, "after it was refused, with the right window in front again");
  EXPECT_EQ(world_.typed(), "once");

  const auto long_one = steal(write(std::string(1'000, 'z')));
  int looks = 0;
  const auto interrupted = world_.executor().execute(long_one, [&] { return ++looks > 3; });
  EXPECT_EQ(interrupted.kind(), v1::Outcome::KIND_INTERRUPTED);
  const std::string before = world_.traces();
  EXPECT_EQ(world_.execute_stolen(long_one).kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(ForgedGrants, FirstTryUsesUpTheChallengeEvenIfRefused) {
  const auto stolen = steal(write("x"));
  auto swapped = stolen;
  *swapped.mutable_action() = write("y");
  expect_refused(swapped, "another action");
  expect_refused(stolen, "the right one after it");
}

TEST_F(ForgedGrants, GrantOfAnotherDesktopIsRefused) {
  World other;
  other.open_editor();
  const auto stolen = steal(write("x"));
  const std::string before = other.traces();
  EXPECT_EQ(other.execute_stolen(stolen).code(), v1::Outcome::CODE_BAD_GRANT);
  // Also refused if the other desktop's policy signs it and the same task and step were prepared there.
  auto both = stolen;
  v1::GrantClaims claims;
  ASSERT_TRUE(claims.ParseFromString(stolen.grant().claims()));
  v1::PrepareRequest prepare;
  *prepare.mutable_action() = stolen.action();
  prepare.set_task_id(claims.task_id());
  prepare.set_step_id(claims.step_id());
  ASSERT_TRUE(other.executor().prepare(prepare));
  *both.mutable_grant() = policy::GrantSigner::from_hex(other.key().secret_hex, "key")->sign(claims);
  EXPECT_EQ(other.execute_stolen(both).code(), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(other.traces(), before);
}

TEST_F(ForgedGrants, GrantForAChangedScreenIsRefused) {
  const auto at = steal(click(300, 200));
  world_.desktop().open_window("Pay now", "/usr/bin/shop", {200, 100, 300, 300});
  const std::string before = world_.traces();
  EXPECT_EQ(world_.execute_stolen(at).code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(world_.traces(), before);
}

}  // namespace
}  // namespace da::redteam

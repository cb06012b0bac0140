// The actuator accepts the documented grant, but only for the documented action and evidence.
#include "tests/grant_vectors.h"

#include <gtest/gtest.h>

#include "lib/base/id.h"
#include "services/actuator/grant/grant_check.h"

namespace da::actuator {
namespace {

TEST(GrantVectors, DocumentedGrantIsValidOnlyForTheDocumentedAction) {
  auto vectors = da::test::grant_vectors(DA_GRANTS_DOCUMENT);
  ASSERT_EQ(vectors.size(), 10U);
  const auto check = GrantCheck::create(to_hex(vectors["public_key"]));
  ASSERT_TRUE(check) << check.error().message;
  v1::Grant grant;
  ASSERT_TRUE(grant.ParseFromString(vectors["grant"]));
  const auto claims = check->verify(grant);
  ASSERT_TRUE(claims) << claims.error().message;
  const Challenge challenge{.boot_id = "0f0e0d0c0b0a09080706050403020100",
                            .action_digest = vectors["action_digest"],
                            .evidence_digest = vectors["evidence_digest"],
                            .desktop_id = "x11:0",
                            .task_id = "task-1",
                            .step_id = "step-1",
                            .issued = MonoTime{}};
  EXPECT_TRUE(GrantCheck::check(*claims, challenge, vectors["action_digest"], challenge.issued + Milliseconds(2000)));
  EXPECT_FALSE(GrantCheck::check(*claims, challenge, vectors["action_digest"], challenge.issued + Milliseconds(2001)));
  EXPECT_FALSE(GrantCheck::check(*claims, challenge, vectors["evidence_digest"], challenge.issued));
  grant.mutable_claims()->push_back('\0');
  EXPECT_FALSE(check->verify(grant));
}

}  // namespace
}  // namespace da::actuator

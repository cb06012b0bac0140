// The policy's records, and that it does not act while it cannot write them.
#include "services/policy/audit/trail.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "lib/os/files/files.h"
#include "tests/services/policy/policy_fixture.h"

namespace da::policy {
namespace {

using nlohmann::json;
using test::write;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class AuditTrailTest : public test::PolicyFixture {
 protected:
  std::string content() const { return *os::read_file(dir.path() / kAuditFile); }
  std::vector<json> records() const {
    std::vector<json> found;
    std::istringstream in(content());
    for (std::string line; std::getline(in, line);) found.push_back(json::parse(line));
    return found;
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> found;
    for (const auto& record : records()) found.push_back(record["kind"]);
    return found;
  }
  json last(const std::string& kind) const {
    json found;
    for (const auto& record : records()) {
      if (record["kind"] == kind) found = record;
    }
    return found;
  }
  // Simulates a failing disk: nothing can be written until give_log_back().
  void take_log_away() { std::filesystem::rename(dir.path() / kAuditFile, dir.path() / "away"); }
  void give_log_back() { std::filesystem::rename(dir.path() / "away", dir.path() / kAuditFile); }
  std::string property(const std::string& name) const {
    for (const auto& [found, value] : policy->properties()) {
      if (found == name) return value;
    }
    return {};
  }
};

TEST_F(AuditTrailTest, AnAllowedStepLeavesVerdictGrantAndOutcome) {
  open_unlocked();
  const auto reply = submit(write("hi"));
  EXPECT_THAT(kinds(), ElementsAre("started", "task_opened", "task_opened", "verdict", "grant", "outcome"));
  const auto verdict = last("verdict");
  EXPECT_EQ(verdict["task"], task_id);
  EXPECT_EQ(verdict["step"], "s1");
  EXPECT_EQ(verdict["decision"], "allow");
  EXPECT_EQ(verdict["rule"], "work");
  EXPECT_EQ(verdict["action"], "write \"hi\"");
  EXPECT_EQ(verdict["window"], "Untitled - Mousepad");
  const auto grant = last("grant");
  const auto claims = actuator.grants()[0];
  EXPECT_EQ(grant["grant"], claims.grant_id());
  EXPECT_EQ(grant["action_digest"], to_hex(claims.action_digest()));
  EXPECT_EQ(grant["evidence_digest"], to_hex(claims.evidence_digest()));
  EXPECT_EQ(grant["rules_version"], claims.rules_version());
  EXPECT_EQ(grant["approver"], "policy");
  EXPECT_EQ(last("outcome")["outcome"], "dispatched");
}

TEST_F(AuditTrailTest, TheGrantIsOnRecordBeforeTheActuatorActs) {
  open_unlocked();
  actuator.hold_execute();
  auto reply = start_submit(write("hi"));
  actuator.wait_until_executing();
  EXPECT_EQ(kinds().back(), "grant");
  ASSERT_TRUE(halt());
  ASSERT_TRUE(reply.get());
  EXPECT_EQ(last("outcome")["code"], "halted");
}

TEST_F(AuditTrailTest, ADenialIsOnRecord) {
  open_unlocked();
  submit(write("my secret"));
  EXPECT_EQ(last("verdict")["decision"], "deny");
  EXPECT_EQ(last("verdict")["rule"], "no-secrets");
  EXPECT_EQ(kinds().back(), "verdict");
}

TEST_F(AuditTrailTest, QuestionAnswerAndApproverAreRecorded) {
  auto reply = start_submit(write("please"));
  const auto id = pending_id();
  EXPECT_EQ(last("verdict")["decision"], "ask");
  EXPECT_EQ(last("question")["approval"], id);
  ASSERT_TRUE(approve(id));
  ASSERT_EQ(reply.get()->outcome().kind(), O::KIND_DISPATCHED);
  EXPECT_THAT(kinds(), ElementsAre("started", "task_opened", "verdict", "question", "answer", "question_ended",
                                   "verdict", "grant", "outcome"));
  EXPECT_EQ(last("answer")["by"], "ada");
  EXPECT_EQ(last("answer")["said"], "approve");
  EXPECT_EQ(last("question_ended")["answer"], "approved");
  EXPECT_EQ(last("question_ended")["second_factor"], false);
  EXPECT_EQ(last("grant")["approver"], "ada");
}

TEST_F(AuditTrailTest, LateAnswerIsRecordedAndHasNoEffect) {
  auto reply = start_submit(write("please"));
  const auto id = pending_id();
  ASSERT_TRUE(deny(id, "not today"));
  EXPECT_EQ(reply.get()->verdict().decision(), V::DECISION_DENY);
  EXPECT_FALSE(approve(id));
  EXPECT_EQ(last("answer")["said"], "approve");
  EXPECT_EQ(last("question_ended")["answer"], "denied");
  EXPECT_EQ(last("question_ended")["reason"], "not today");
  EXPECT_THAT(kinds(), Not(testing::Contains("grant")));
}

TEST_F(AuditTrailTest, LocksHaltsAndRulesAreOnRecord) {
  v1::UnlockRequest unlock;
  unlock.set_by("ada");
  unlock.set_for_ms(60'000);
  ASSERT_TRUE(policy->unlock(unlock));
  EXPECT_EQ(last("write_lock")["open"], true);
  EXPECT_EQ(last("write_lock")["for_ms"], 60'000);
  v1::LockRequest lock;
  lock.set_by("bob");
  policy->lock(lock);
  EXPECT_EQ(last("write_lock")["open"], false);
  EXPECT_EQ(last("write_lock")["by"], "bob");
  ASSERT_TRUE(halt());
  EXPECT_EQ(last("halt")["reason"], "smoke");
  v1::ResumeRequest resume;
  resume.set_by("ada");
  ASSERT_TRUE(policy->resume(resume));
  EXPECT_EQ(last("resume")["by"], "ada");
  EXPECT_FALSE(policy->reload_rules());  // test.toml does not exist.
  EXPECT_EQ(last("rules")["in_force"], false);
  v1::CloseTaskRequest close;
  close.set_task_token(token);
  ASSERT_TRUE(policy->close_task(close));
  EXPECT_EQ(last("task_closed")["task"], task_id);
}

TEST_F(AuditTrailTest, DryRunLeavesNoRecord) {
  auto dry = request(write("hi"));
  dry.set_dry_run(true);
  ASSERT_TRUE(policy->submit(dry, {}));
  EXPECT_THAT(kinds(), ElementsAre("started", "task_opened"));
}

TEST_F(AuditTrailTest, StepIsDeniedWhileItCannotBeRecorded) {
  open_unlocked();
  take_log_away();
  const auto reply = submit(write("hi"));
  EXPECT_EQ(reply.verdict().decision(), V::DECISION_DENY);
  EXPECT_EQ(reply.verdict().rule(), "audit");
  EXPECT_THAT(reply.verdict().reason(), HasSubstr("the audit log cannot be written, so nothing may happen"));
  EXPECT_EQ(reply.outcome().kind(), O::KIND_REFUSED);
  EXPECT_EQ(submit(test::move(1, 1), "s2").verdict().rule(), "audit");
  EXPECT_THAT(actuator.done(), IsEmpty());
  EXPECT_THAT(actuator.grants(), IsEmpty());
  EXPECT_THAT(property("audit log"), HasSubstr("CANNOT BE WRITTEN, so every step is denied"));
  give_log_back();
  EXPECT_EQ(submit(write("hi")).outcome().kind(), O::KIND_DISPATCHED);
  EXPECT_THAT(property("audit log"), Not(HasSubstr("CANNOT")));
  EXPECT_THAT(last("recovered")["problem"].get<std::string>(), HasSubstr("is gone"));
}

TEST_F(AuditTrailTest, WhileTheLogFailsNothingIsOpenedApprovedOrResumed) {
  auto reply = start_submit(write("please"));
  const auto id = pending_id();
  take_log_away();
  EXPECT_EQ(approve(id).error().code, Code::kUnavailable);
  v1::UnlockRequest unlock;
  unlock.set_by("ada");
  EXPECT_FALSE(policy->unlock(unlock));
  EXPECT_EQ(property("write lock"), "closed");
  EXPECT_FALSE(policy->open_task({}));
  EXPECT_EQ(property("open tasks"), "1");
  // Calls that make the policy safer succeed.
  ASSERT_TRUE(deny(id, "no"));
  EXPECT_EQ(reply.get()->verdict().decision(), V::DECISION_DENY);
  ASSERT_TRUE(halt());
  v1::ResumeRequest resume;
  resume.set_by("ada");
  EXPECT_FALSE(policy->resume(resume));
  EXPECT_TRUE(actuator.halted());
}

TEST_F(AuditTrailTest, TypedTextIsCutAndRecordedWithItsDigest) {
  open_unlocked();
  const std::string text = "the quick brown fox jumps over the lazy dog {{secret:mail}} and {{secret:bank}}";
  submit(write(text));
  const auto verdict = last("verdict");
  EXPECT_EQ(verdict["action"], "write \"the quick brown fox jumps over the lazy ...\"");
  EXPECT_EQ(verdict["characters"], text.size());
  EXPECT_EQ(verdict["text_digest"], to_hex(blake2b(text)));
  EXPECT_EQ(verdict["secrets"], "mail, bank");
  EXPECT_THAT(content(), Not(HasSubstr("dog")));
}

TEST_F(AuditTrailTest, OnlyTheLengthIsRecordedForAnUnknownField) {
  ASSERT_TRUE(halt());
  submit(write("hunter2"));
  EXPECT_EQ(last("verdict")["rule"], "halted");
  EXPECT_EQ(last("verdict")["action"], "write (hidden)");
  EXPECT_THAT(content(), Not(HasSubstr("hunter2")));
}

TEST_F(AuditTrailTest, OnlyTheLengthIsRecordedForAPasswordField) {
  auto world = test::editor();
  world.mutable_focused_element()->add_states(v1::UI_STATE_PASSWORD);
  actuator.set_world(world);
  open_unlocked();
  submit(write("hunter2"));
  const auto verdict = last("verdict");
  EXPECT_EQ(verdict["action"], "write (hidden)");
  EXPECT_EQ(verdict["characters"], 7);
  EXPECT_FALSE(verdict.contains("text_digest"));
  EXPECT_FALSE(last("grant").contains("action_digest"));
  EXPECT_THAT(content(), Not(HasSubstr("hunter2")));
  submit(write("{{secret:mail}}"), "s2");
  EXPECT_EQ(last("verdict")["action"], "write \"{{secret:mail}}\"");
}

}  // namespace
}  // namespace da::policy

// Answers that come twice, late, from nobody, from the wrong person, or for a question that has changed.
#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "tests/acted.h"
#include "tests/redteam/world.h"

namespace da::redteam {
namespace {

Result<v1::AnswerReply> approve(World& world, const v1::ApprovalRequest& question, const std::string& who,
                                bool for_task = false) {
  v1::ApproveRequest request;
  request.set_approval_id(question.approval_id());
  request.set_approver(who);
  request.set_repeats_in_task(for_task);
  return world.policy().approve(request);
}

class Answers : public testing::Test {
 protected:
  Answers() { world_.open_editor(); }

  static Result<v1::AnswerReply> edit(World& world, const v1::ApprovalRequest& question, const v1::Action& action) {
    v1::EditRequest request;
    request.set_approval_id(question.approval_id());
    request.set_approver("ada");
    *request.mutable_action() = action;
    return world.policy().edit(request);
  }

  World world_;
  const World::Open task_ = world_.open_task();
};

TEST_F(Answers, SecondAnswerIsRefused) {
  std::atomic<int> second = 0;
  world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
    EXPECT_TRUE(approve(world, question, "ada"));
    for (const char* who : {"ada", "bob"}) second += approve(world, question, who) ? 1 : 0;
    v1::DenyRequest deny;
    deny.set_approval_id(question.approval_id());
    deny.set_approver("bob");
    second += world.policy().deny(deny) ? 1 : 0;
    second += edit(world, question, write("y")) ? 1 : 0;
  });
  EXPECT_TRUE(test::acted(world_.reply(task_, write("x")).outcome()));
  world_.wait_until_answered();
  const auto question = world_.asked().front();
  EXPECT_FALSE(approve(world_, question, "ada"));
  EXPECT_EQ(second, 0);
  EXPECT_EQ(world_.typed(), "x");
}

TEST_F(Answers, LateAnswerIsRefused) {
  world_.set_person(World::look_away);
  const std::string before = world_.traces();
  auto late = std::async(std::launch::async, [&] { return world_.reply(task_, write("x")); });
  world_.wait_until_asked(1);
  world_.clock().advance(policy::kDefaultApprovalExpiry);
  EXPECT_FALSE(approve(world_, world_.asked().front(), "ada"));
  world_.policy().wake();
  EXPECT_EQ(late.get().outcome().code(), v1::Outcome::CODE_EXPIRED);
  EXPECT_FALSE(approve(world_, world_.asked().front(), "ada"));
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(Answers, AnswerWithoutPersonOrQuestionIsRefused) {
  world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
    for (const std::string& who : {std::string(), std::string(" "), std::string("\t\n"), std::string(101, 'a')}) {
      EXPECT_FALSE(approve(world, question, who));
    }
    for (const std::string& id : {std::string(), std::string("*"), question.approval_id().substr(1),
                                  question.step().step_id(), question.approval_id() + "x", std::string(1 << 20, 'a')}) {
      auto other = question;
      other.set_approval_id(id);
      EXPECT_FALSE(approve(world, other, "ada")) << id.substr(0, 40);
    }
    World::deny(world, question);
  });
  const std::string before = world_.traces();
  EXPECT_EQ(world_.reply(task_, write("x")).outcome().code(), v1::Outcome::CODE_DENIED);
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(Answers, AnswerForAnEndedTaskIsRefused) {
  world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
    v1::CloseTaskRequest close;
    close.set_task_token(task_.token);
    EXPECT_TRUE(world.policy().close_task(close));
    EXPECT_FALSE(approve(world, question, "ada"));
  });
  const std::string before = world_.traces();
  EXPECT_EQ(world_.reply(task_, write("x")).outcome().code(), v1::Outcome::CODE_CANCELLED);
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(Answers, ApprovalOfAChangedScreenIsStale) {
  world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
    world.open_field("Password", "/usr/bin/keyring");
    EXPECT_TRUE(approve(world, question, "ada"));
  });
  EXPECT_EQ(world_.reply(task_, write("x")).outcome().code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(world_.typed(), "");
}

TEST_F(Answers, EditedStepIsJudgedLikeAnyStep) {
  int asked = 0;
  world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
    if (++asked > 1) return World::deny(world, question);
    EXPECT_FALSE(edit(world, question, v1::Action()));
    EXPECT_FALSE(edit(world, question, write(std::string(30'000, 'x'))));
    EXPECT_TRUE(edit(world, question, hotkey({"ctrl", "shift", "esc"})));
  });
  const std::string before = world_.traces();
  EXPECT_EQ(world_.reply(task_, write("x")).verdict().rule(), "kill-switch-chord");
  EXPECT_EQ(asked, 1);

  asked = 0;
  world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
    if (++asked == 1) {
      EXPECT_TRUE(edit(world, question, hotkey({"alt", "f2"})));
    } else {
      EXPECT_EQ(question.risk(), v1::RISK_CRITICAL);
      World::deny(world, question);
    }
  });
  EXPECT_EQ(world_.reply(task_, write("x")).outcome().code(), v1::Outcome::CODE_DENIED);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(Answers, EndlessEditsAreDenied) {
  int asked = 0;
  world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
    EXPECT_TRUE(edit(world, question, write("x" + std::to_string(++asked))));
  });
  const std::string before = world_.traces();
  EXPECT_EQ(world_.reply(task_, write("x")).verdict().decision(), v1::Verdict::DECISION_DENY);
  EXPECT_LE(asked, 21);
  EXPECT_EQ(world_.traces(), before);
}

TEST_F(Answers, ApprovalForTheTaskCoversOnlyTheSameStepAtTheSamePlace) {
  world_.set_person(
      [&](World& world, const v1::ApprovalRequest& question) { EXPECT_TRUE(approve(world, question, "ada", true)); });
  EXPECT_TRUE(test::acted(world_.reply(task_, write("x")).outcome()));
  world_.set_person(World::deny);
  EXPECT_TRUE(test::acted(world_.reply(task_, write("x")).outcome()));
  EXPECT_EQ(world_.asked().size(), 1U);
  std::size_t asked = 1;
  const auto expect_asked = [&](const World::Open& task, const v1::Action& action, const char* what) {
    const std::string before = world_.traces();
    EXPECT_EQ(world_.reply(task, action).verdict().decision(), v1::Verdict::DECISION_DENY) << what;
    EXPECT_EQ(world_.asked().size(), ++asked) << what;
    EXPECT_EQ(world_.traces(), before) << what;
  };
  expect_asked(task_, write("xx"), "another text");
  expect_asked(task_, paste("x"), "another tool");
  expect_asked(world_.open_task(), write("x"), "another task");
  world_.desktop().change([](auto& windows) { windows.front().focused_element = windows.front().elements[1].id; });
  expect_asked(task_, write("x"), "another field");
  world_.desktop().change([](auto& windows) { windows.front().focused_element = windows.front().elements[0].id; });
  world_.open_field("Untitled - Notes", "/usr/bin/notes");
  expect_asked(task_, write("x"), "another window of the same name");
  world_.desktop().change([](auto& windows) {
    windows.pop_front();
    windows.front().pid += 1;
  });
  expect_asked(task_, write("x"), "another process in the window's place");
  world_.open_terminal();
  expect_asked(task_, write("x"), "a terminal");
}

TEST_F(Answers, CriticalStepCannotBeApprovedForTheTask) {
  world_.open_terminal();
  world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
    EXPECT_FALSE(approve(world, question, "ada", true));
    World::approve(world, question);
  });
  EXPECT_TRUE(test::acted(world_.reply(task_, write("x")).outcome()));
  world_.set_person(World::deny);
  EXPECT_EQ(world_.reply(task_, write("x")).outcome().code(), v1::Outcome::CODE_DENIED);
  EXPECT_EQ(world_.typed(), "x");
}

// The question demands only a yes; before it is answered, the team's rules change and demand a code.
TEST_F(Answers, ApprovalIsNotEnoughIfChangedRulesDemandMore) {
  world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
    world.change_rules(R"(
[[rule]]
name = "codes"
verdict = "ask_second_factor"
reason = "a code, from today"
match.tool = ["write"]
)");
    EXPECT_TRUE(approve(world, question, "ada"));
  });
  const std::string before = world_.traces();
  EXPECT_FALSE(test::acted(world_.reply(task_, write("x")).outcome()));
  EXPECT_EQ(world_.traces(), before);
}

// Two questions are open at once. The text of the first makes the second match another rule of the team.
class AskedAboutByAnotherRule : public testing::Test {
 protected:
  static constexpr char kAsk[] = R"(
[[rule]]
name = "watch-rm"
verdict = "ask"
reason = "it removes files"
match.text = '\brm\s+-rf\b'
)";

  AskedAboutByAnotherRule() { world_.open_editor(); }
  void approve_question(std::size_t which) { EXPECT_TRUE(approve(world_, world_.asked().at(which), "ada")); }
  std::future<v1::SubmitReply> submit(const std::string& text) {
    return std::async(std::launch::async, [this, text] { return world_.reply(task_, write(text)); });
  }

  World world_{{.team_rules = kAsk}};
  const World::Open task_ = world_.open_task();
};

TEST_F(AskedAboutByAnotherRule, AnApprovalIsStale) {
  world_.set_person(World::look_away);
  auto first = submit("rm ");
  world_.wait_until_asked(1);
  auto second = submit("-rf ~");
  world_.wait_until_asked(2);
  EXPECT_EQ(world_.asked()[1].rule(), "write-lock");
  approve_question(0);
  EXPECT_TRUE(test::acted(first.get().outcome()));
  approve_question(1);
  const auto stale = second.get();
  EXPECT_EQ(stale.outcome().code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_NE(stale.outcome().message().find("rule \"watch-rm\" asks now: it removes files"), std::string::npos)
      << stale.outcome().message();
  EXPECT_EQ(world_.typed(), "rm ");

  auto again = submit("-rf ~");
  world_.wait_until_asked(3);
  EXPECT_EQ(world_.asked()[2].rule(), "watch-rm");
  approve_question(2);
  EXPECT_TRUE(test::acted(again.get().outcome()));
  EXPECT_EQ(world_.typed(), "rm -rf ~");
}

TEST_F(AskedAboutByAnotherRule, AnApprovalForTheTaskDoesNotAnswer) {
  world_.set_person([](World& world, const v1::ApprovalRequest& question) {
    EXPECT_EQ(question.rule(), "write-lock");
    EXPECT_TRUE(approve(world, question, "ada", true));
  });
  for (const char* text : {"-rf ~", "-rf ~", " rm "}) {
    EXPECT_TRUE(test::acted(world_.reply(task_, write(text)).outcome()));
  }
  EXPECT_EQ(world_.asked().size(), 2U) << "the same step was approved for the task";
  world_.set_person(World::deny);
  EXPECT_EQ(world_.reply(task_, write("-rf ~")).verdict().decision(), v1::Verdict::DECISION_DENY);
  ASSERT_EQ(world_.asked().size(), 3U);
  EXPECT_EQ(world_.asked()[2].rule(), "watch-rm");
  EXPECT_EQ(world_.typed(), "-rf ~-rf ~ rm ");
}

TEST_F(AskedAboutByAnotherRule, ApprovalIsEnoughIfOnlyTheWriteLockStillAsks) {
  world_.change_rules(kAsk + std::string(R"(
[[rule]]
name = "watch-x"
verdict = "ask"
reason = "an x"
match.text = "x"
)"));
  world_.set_person([&](World& world, const v1::ApprovalRequest& question) {
    EXPECT_EQ(question.rule(), "watch-x");
    world.change_rules(kAsk);
    World::approve(world, question);
  });
  EXPECT_TRUE(test::acted(world_.reply(task_, write("x")).outcome()));
  EXPECT_EQ(world_.asked().size(), 1U);
}

TEST(WrongPeople, WhoOpenedTheTaskDoesNotAnswerUnderAnySpelling) {
  World world({.approval_rules = {.people_for_critical = 1, .opener_may_answer = false}});
  world.open_editor();
  v1::OpenTaskRequest open;
  open.set_opened_by("ada");
  const auto task = world.open_task(open);
  std::atomic<int> taken = 0;
  world.set_person([&](World&, const v1::ApprovalRequest& question) {
    for (const char* who : {"ada", "Ada", "ADA ", " ada", "\u0430da", "a\u200bda", "ａｄａ", "ada\u202c"}) {
      v1::ApproveRequest approve;
      approve.set_approval_id(question.approval_id());
      approve.set_approver(who);
      taken += world.policy().approve(approve) ? 1 : 0;
      v1::EditRequest edit;
      edit.set_approval_id(question.approval_id());
      edit.set_approver(who);
      *edit.mutable_action() = write("y");
      taken += world.policy().edit(edit) ? 1 : 0;
    }
    World::deny(world, question);
  });
  const std::string before = world.traces();
  EXPECT_EQ(world.reply(task, write("x")).verdict().decision(), v1::Verdict::DECISION_DENY);
  world.wait_until_answered();
  EXPECT_EQ(taken, 0);
  EXPECT_EQ(world.traces(), before);
}

TEST(WrongPeople, SpellingsOfOneNameCountAsOnePerson) {
  World world({.approval_rules = {.people_for_critical = 2, .opener_may_answer = true}});
  world.open_terminal();
  const auto task = world.open_task();
  int taken = 0;
  world.set_person([&](World&, const v1::ApprovalRequest& question) {
    for (const char* who : {"ada", "ada", "Ada", "ada ", "\u0430d\u0430", "ad\u200ba"}) {
      v1::ApproveRequest approve;
      approve.set_approval_id(question.approval_id());
      approve.set_approver(who);
      taken += world.policy().approve(approve) ? 1 : 0;
    }
    World::deny(world, question);
  });
  const std::string before = world.traces();
  EXPECT_EQ(world.reply(task, write("x")).verdict().decision(), v1::Verdict::DECISION_DENY);
  world.wait_until_answered();
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(world.traces(), before);
}

}  // namespace
}  // namespace da::redteam

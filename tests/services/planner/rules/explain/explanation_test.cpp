// Recorded runs of profiles on the fake desktop, explained by their recording.
#include "services/planner/rules/explain/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "lib/os/files/files.h"
#include "services/planner/rules/explain/explanation_text.h"
#include "tests/services/planner/rules/explain/recorded_profile_run.h"
#include "tests/temp_dir.h"

namespace da::planner::rules {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPressesF5 = R"({"type":"press_key","key":"f5"})";
constexpr const char* kClickTheSave =
    R"({"type":"click","target_relation":"ui_element","name":"Save","role":"button"})";

std::string acting_rule(const std::string& name, const std::string& condition, const std::string& actions,
                        const std::string& more = "") {
  return R"({"name":")" + name + R"(","region":"form","condition":)" + condition + R"(,"actions":[)" + actions + "]" +
         more + "}";
}

std::string shows_text(const std::string& text, const std::string& region = "form") {
  return R"({"type":"ocr_contains_text","region":")" + region + R"(","text_to_find":")" + text + R"("})";
}

std::string profile_of(const std::string& rules, const std::string& regions = "") {
  return R"({"settings":{"monitoring_interval_seconds":0.01,"max_failures_in_a_row":0},"regions":[
    {"name":"form","window":"Form","x":0,"y":0,"width":0,"height":0},
    {"name":"screen","x":0,"y":0,"width":1280,"height":800})" +
         regions + R"(],"templates":[{"name":"save","filename":"save.png"}],"rules":[)" + rules + "]}";
}

// Rules of all kinds: their actions change the screen, fail, rest, and end nothing.
std::string many_rules() {
  return acting_rule("once", shows_text("Save"), kPressesF5, R"(,"once":true)") + "," +
         acting_rule("click", R"({"type":"ui_element","name":"Save","role":"button","state":"enabled"})", kClickTheSave,
                     R"(,"cooldown_seconds":0.7)") +
         "," +
         acting_rule("pixel",
                     R"({"type":"pixel_color","region":"screen","relative_x":340,"relative_y":310,)"
                     R"("expected_bgr":[0,255,0],"tolerance":200})",
                     R"({"type":"log_message","message":"green"})", R"(,"cooldown_seconds":1)") +
         "," +
         acting_rule(
             "template",
             R"({"logical_operator":"AND","sub_conditions":[{"type":"template_match_found","template_name":"save"},)" +
                 shows_text("done", "screen") + "]}",
             R"({"type":"click","target_relation":"center_of_last_match"})", R"(,"cooldown_seconds":0.3)") +
         "," +
         acting_rule("fails", shows_text("Wrong"),
                     R"({"type":"click","target_relation":"ui_element","name":"nowhere"})") +
         "," +
         acting_rule("not", R"({"logical_operator":"NOT","sub_conditions":[)" + shows_text("Save") + "]}",
                     R"({"type":"log_message","message":"gone"})", R"(,"cooldown_seconds":0.5)");
}

class ExplanationTest : public testing::Test {
 protected:
  ExplanationTest() {
    auto& file = *run_.profile.add_templates();
    file.set_filename("save.png");
    file.set_content(FakeObserver::template_of("Save"));
  }

  std::filesystem::path recording() const { return directory_.path() / "run.mcap"; }

  RecordedRun recorded(const std::string& text) {
    const auto result = run_.run(text, recording());
    EXPECT_EQ(result.end(), v1::TASK_END_DONE) << result.summary();
    return read();
  }

  RecordedRun read() {
    auto run = read_recorded_run(recording());
    EXPECT_TRUE(run) << run.error().message;
    return run ? *std::move(run) : RecordedRun();
  }

  // What is said of `text` on the recorded run.
  std::string explain(const RecordedRun& run, const std::string& text, std::set<std::string> only = {}) {
    const auto live = load_recorded(run.profile);
    v1::ProfileRun changed = run.profile;
    changed.set_text(text);
    const auto current = load_recorded(changed);
    EXPECT_TRUE(live && current) << (current ? "" : current.error().message);
    if (!live || !current) return {};
    std::ostringstream out;
    Explanation explanation(run, *live, *current, nullptr, std::move(only));
    ExplanationText said({.as = as_, .shown = shown_}, out);
    const auto totals = explanation.run([&](const ExplainedEvaluation& one) { said.add(one); });
    EXPECT_TRUE(totals);
    if (totals) totals_ = *totals;
    said.finish(totals_);
    return out.str();
  }

  const test::TempDir directory_;
  RecordedProfileRun run_;
  ExplainTotals totals_;
  Shown shown_ = Shown::kAll;
  ExplanationAs as_ = ExplanationAs::kText;
};

TEST_F(ExplanationTest, RecordedProfileFiresAsItDidLive) {
  const std::string text = profile_of(many_rules());
  run_.world.element("save")->on_click = [this] { run_.world.element("name")->text = "done"; };
  run_.world.after(Milliseconds(2'000), [this] { run_.world.element("save")->name = "Wrong"; });
  run_.world.after(Milliseconds(3'000), [this] { run_.world.windows[0].bounds.x += 100; });
  run_.world.after(Milliseconds(4'000), [this] { run_.world.close_window("w1"); });
  const RecordedRun run = recorded(text);
  const std::string said = explain(run, text);
  EXPECT_EQ(totals_.differences, 0U) << said;
  EXPECT_EQ(totals_.not_known, 0U) << said;
  EXPECT_GT(totals_.fired_live, 8U);
  EXPECT_GE(totals_.fires, totals_.fired_live);
  EXPECT_GT(totals_.evaluations, totals_.cycles);
  EXPECT_THAT(said, AllOf(HasSubstr("it has acted once"), HasSubstr("it rests for"), HasSubstr("live: fired"),
                          HasSubstr("live: failed"), HasSubstr("no window has such a title")));
}

TEST_F(ExplanationTest, AnyRunFiresAsItDidLive) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    RecordedProfileRun run;
    *run.profile.mutable_templates() = run_.profile.templates();
    const auto change = [&run](unsigned kind) {
      FakeElement* save = run.world.element("save");
      if (kind == 0) save->name = save->name == "Save" ? "Wrong" : "Save";
      if (kind == 1) save->enabled = !save->enabled;
      if (kind == 2) run.world.element("name")->text = run.world.element("name")->text.empty() ? "done" : "";
      if (kind == 3) save->bounds.x += 7;
      if (kind == 4) run.world.windows[0].bounds.x += 10;
    };
    for (int i = 0; i < 25; ++i) {
      run.world.after(Milliseconds(random() % 5'000),
                      [change, kind = static_cast<unsigned>(random() % 5)] { change(kind); });
    }
    run.policy.intercept = [&](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
      switch (random() % 6) {
        case 0: return verdict(v1::Verdict::DECISION_DENY);
        case 1: return verdict(v1::Verdict::DECISION_ALLOW, v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_STALE_TARGET);
        default: return std::nullopt;
      }
    };
    const std::string text = profile_of(many_rules());
    const auto path = directory_.path() / (std::to_string(seed) + ".mcap");
    run.run(text, path);
    const auto read = read_recorded_run(path);
    ASSERT_TRUE(read) << read.error().message;
    const std::string said = explain(*read, text);
    ASSERT_EQ(totals_.differences, 0U) << "seed " << seed << "\n" << said;
    ASSERT_EQ(totals_.not_known, 0U) << "seed " << seed << "\n" << said;
    ASSERT_GT(totals_.fired_live, 0U) << "seed " << seed;
  }
}

TEST_F(ExplanationTest, ChangedConditionShowsWhereItFiresOtherwise) {
  const RecordedRun run =
      recorded(profile_of(acting_rule("save", shows_text("Save"), kPressesF5, R"(,"cooldown_seconds":1)")));
  const auto live =
      explain(run, profile_of(acting_rule("save", shows_text("Sieve"), kPressesF5, R"(,"cooldown_seconds":1)")));
  EXPECT_EQ(totals_.differences, totals_.fired_live);
  EXPECT_GT(totals_.fired_live, 3U);
  EXPECT_EQ(totals_.fires, 0U);
  EXPECT_THAT(live, AllOf(HasSubstr("DIFFERENCE: fired live, and does not here"), HasSubstr("expected"),
                          HasSubstr("Sieve"), HasSubstr("Name Save")));
  explain(run, profile_of(acting_rule("save", shows_text("Save"), kPressesF5, R"(,"once":true)")));
  EXPECT_EQ(totals_.fires, 1U);
  EXPECT_EQ(totals_.differences, totals_.fired_live - 1);
}

TEST_F(ExplanationTest, RuleThatFiresOnlyHereRestsAfterwards) {
  // A rule that acts in each cycle: otherwise cycles of an unchanged screen are skipped.
  const std::string tick = acting_rule("tick", R"({"type":"always_true"})", R"({"type":"log_message","message":"x"})");
  const RecordedRun run = recorded(profile_of(acting_rule("save", shows_text("nowhere"), kPressesF5) + "," + tick));
  const std::string said =
      explain(run, profile_of(acting_rule("save", shows_text("Save"), kPressesF5, R"(,"once":true)") + "," + tick));
  EXPECT_EQ(totals_.differences, 1U);
  EXPECT_THAT(said, AllOf(HasSubstr("DIFFERENCE: fires here, and did not live"), HasSubstr("it has acted once")));
}

TEST_F(ExplanationTest, RemovedAndNewRulesAreNamed) {
  const RecordedRun run = recorded(profile_of(acting_rule("save", shows_text("Save"), kPressesF5, R"(,"once":true)")));
  const std::string said =
      explain(run, profile_of(acting_rule("other", shows_text("Save"), kPressesF5, R"(,"once":true)")));
  EXPECT_THAT(said, AllOf(HasSubstr("DIFFERENCE: rule \"save\" fired live; the profile has no such rule"),
                          HasSubstr("live: the recorded profile has no such rule"),
                          HasSubstr("DIFFERENCE: fires here, and did not live")));
  EXPECT_EQ(totals_.differences, 2U);
}

TEST_F(ExplanationTest, MeasurementThatWasNotRecordedIsNotKnown) {
  const RecordedRun run = recorded(profile_of(acting_rule("save", shows_text("Save"), kPressesF5)));
  const std::string pixel = R"({"type":"pixel_color","relative_x":5,"relative_y":5,"expected_bgr":[1,2,3]})";
  const std::string said = explain(run, profile_of(acting_rule("save", pixel, kPressesF5)));
  EXPECT_EQ(totals_.not_known, totals_.evaluations);
  EXPECT_EQ(totals_.differences, 0U);
  EXPECT_THAT(said, HasSubstr("not known yet; the recording has neither this measurement nor a picture"));
}

TEST_F(ExplanationTest, RegionAtTheSamePlaceIsKnownUnderAnotherName) {
  const std::string before = profile_of(acting_rule("save", shows_text("Save"), kPressesF5, R"(,"once":true)"));
  const RecordedRun run = recorded(before);
  std::string after = before;
  for (std::size_t at = 0; (at = after.find("\"form\"", at)) != std::string::npos;) after.replace(at, 6, "\"shape\"");
  explain(run, after);
  EXPECT_EQ(totals_.not_known, 0U);
  EXPECT_EQ(totals_.differences, 0U);
  EXPECT_EQ(totals_.fires, 1U);
}

TEST_F(ExplanationTest, LostAnswerMakesItsRulesUnknownUntilTheRegionIsMeasuredAgain) {
  run_.world.after(Milliseconds(2'500), [this] { run_.world.element("name")->text = "changed"; });
  const std::string text = profile_of(acting_rule("save", shows_text("Save"), kPressesF5));
  RecordedRun run = recorded(text);
  run.answers.erase(run.evaluations.front().fact.answers(0).number());
  const std::string said = explain(run, text);
  EXPECT_EQ(totals_.differences, 0U) << said;
  EXPECT_GT(totals_.not_known, 5U);
  EXPECT_LT(totals_.not_known, totals_.evaluations - 3);
  EXPECT_THAT(said, HasSubstr("INCOMPLETE: the recording lacks the observer's answer"));
}

TEST_F(ExplanationTest, FactsThatDoNotFollowFromTheMeasurementsAreDifferences) {
  const std::string text = profile_of(acting_rule("save", shows_text("Save"), kPressesF5, R"(,"once":true)"));
  const RecordedRun honest = recorded(text);
  RecordedRun run = honest;
  run.evaluations.front().fact.clear_fires();
  EXPECT_THAT(explain(run, text), AllOf(HasSubstr("fires here, and did not live"),
                                        HasSubstr("rule \"save\" acted live without a decision")));
  run = honest;
  run.evaluations.back().fact.add_fires(0);
  EXPECT_THAT(explain(run, text), HasSubstr("fired live, and does not here"));
  run = honest;
  run.evaluations.front().events.front().set_text("rule \"save\": holds");
  EXPECT_THAT(explain(run, text), HasSubstr("fires on other measurements than live"));
  run = honest;
  for (auto& [number, answer] : run.answers) {
    for (auto& region : *answer.mutable_analysis()->mutable_regions()) region.mutable_ocr()->set_text("nothing");
  }
  EXPECT_THAT(explain(run, text), HasSubstr("fired live, and does not here"));
}

TEST_F(ExplanationTest, HostileFactsAreNoCrash) {
  const std::string text = profile_of(many_rules());
  const RecordedRun honest = recorded(text);
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    RecordedRun run = honest;
    for (int change = 0; change < 5; ++change) {
      RecordedEvaluation& one = run.evaluations[random() % run.evaluations.size()];
      auto answer = std::next(run.answers.begin(), static_cast<std::ptrdiff_t>(random() % run.answers.size()));
      switch (random() % 7) {
        case 0: one.fact.add_fires(static_cast<std::uint32_t>(random())); break;
        case 1: one.fact.set_first_rule(static_cast<std::uint32_t>(random())); break;
        case 2: one.fact.add_changed()->set_rule(static_cast<std::uint32_t>(random())); break;
        case 3: one.fact.set_monotonic_ns(static_cast<std::int64_t>(random()) << 31); break;
        case 4:
          for (auto& used : *one.fact.mutable_answers()) {
            used.set_use(static_cast<v1::RulesEvaluated::UsedAnswer::Use>(random() % 5));
          }
          break;
        case 5: answer->second.mutable_analysis()->add_regions()->set_name("x"); break;
        default:
          for (auto& query : *answer->second.mutable_analyze()->mutable_regions()) {
            query.set_name(std::to_string(random() % 5));
          }
      }
    }
    explain(run, text);
  }
}

TEST_F(ExplanationTest, OnlyTheNamedRulesAndOnlyChangesAreShown) {
  run_.world.after(Milliseconds(2'000), [this] { run_.world.element("name")->text = "changed"; });
  const std::string text = profile_of(acting_rule("a", shows_text("changed"), kPressesF5, R"(,"once":true)") + "," +
                                      acting_rule("b", shows_text("Save"), kPressesF5, R"(,"once":true)"));
  const RecordedRun run = recorded(text);
  shown_ = Shown::kChanges;
  const std::string said = explain(run, text, {"a"});
  EXPECT_THAT(said, Not(HasSubstr("rule \"b\"")));
  // At first, after the change, and when it rests.
  EXPECT_EQ(std::count(said.begin(), said.end(), 'Z'), 3) << said;
  EXPECT_EQ(totals_.fired_live, 1U);
  as_ = ExplanationAs::kJson;
  EXPECT_THAT(explain(run, text), AllOf(HasSubstr("\"live\":\"fired\""), HasSubstr("\"differences\":0")));
}

TEST_F(ExplanationTest, FilesThatAreNoRecordingOfAProfileAreErrors) {
  const auto problem = [&](const std::string& content) {
    const auto path = directory_.path() / "x.mcap";
    std::ofstream(path) << content;
    const auto run = read_recorded_run(path);
    EXPECT_FALSE(run);
    return run ? "" : run.error().message;
  };
  EXPECT_THAT(problem(""), HasSubstr("x.mcap"));
  EXPECT_THAT(problem("no recording"), HasSubstr("x.mcap"));
  EXPECT_FALSE(read_recorded_run(directory_.path() / "missing.mcap"));
}

TEST_F(ExplanationTest, CutRecordingIsExplainedUpToTheCut) {
  const std::string text =
      profile_of(acting_rule("save", shows_text("Save"), kPressesF5, R"(,"cooldown_seconds":0.2)"));
  recorded(text);
  const auto content = os::read_file(recording());
  ASSERT_TRUE(content);
  int readable = 0;
  for (std::size_t size = 0; size < content->size(); size += content->size() / 40) {
    const auto path = directory_.path() / "cut.mcap";
    std::ofstream(path) << content->substr(0, size);
    const auto run = read_recorded_run(path);
    if (!run) {
      EXPECT_FALSE(run.error().message.empty());
      continue;
    }
    ++readable;
    EXPECT_FALSE(run->damage.empty()) << size;
    explain(*run, text);
    EXPECT_EQ(totals_.differences, 0U) << size;
  }
  EXPECT_GT(readable, 0);
}

}  // namespace
}  // namespace da::planner::rules

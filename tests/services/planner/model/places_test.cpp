// The places in all texts for models and people.
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "lib/contract/coordinates.h"
#include "tests/services/planner/model/golden.h"
#include "tests/services/planner/model/model_task.h"

namespace da::planner::model {
namespace {

constexpr int kImageWidth = kDesktopWidth / kImageScale;
constexpr int kImageHeight = kDesktopHeight / kImageScale;

std::string step(const std::string& tool, const std::string& args) { return plan({tool_step(tool, args)}); }

std::string check(const std::string& target, const std::string& property, const std::string& expected = "") {
  return step("check_element_property", R"({"target_description":")" + target + R"(","property":")" + property + "\"" +
                                            (expected.empty() ? "" : R"(,"expected":")" + expected + "\"") + "}");
}

v1::SubmitReply outcome(v1::Outcome::Kind kind, v1::Outcome::Code code, const std::string& message) {
  v1::SubmitReply reply = verdict(v1::Verdict::DECISION_ALLOW, kind, code);
  reply.mutable_outcome()->set_message(message);
  return reply;
}

// Everything is at the lower right of the desktop, where desktop pixels are outside the image.
class PlacesTest : public ModelTask {
 protected:
  PlacesTest() {
    world_.open_window({"w", "Page", "/usr/bin/page", {700, 450, 580, 350}});
    add({.id = "1", .role = "push button", .name = "Save", .bounds = {900, 600, 80, 20}});
    add({.id = "2", .role = "text", .name = "Name", .text = "at 900,600", .bounds = {700, 500, 80, 20}});
    add({.id = "3", .role = "push button", .name = "Twin", .bounds = {1000, 600, 80, 20}});
    add({.id = "4", .role = "push button", .name = "Twin", .bounds = {1100, 700, 80, 20}});
    add({.id = "5", .role = "check box", .name = "Wrap", .bounds = {1000, 650, 80, 20}, .enabled = false});
    add({.id = "6", .role = "label", .name = "painted", .bounds = {1200, 780, 60, 20}, .painted_only = true});
  }

  void add(FakeElement element) {
    element.window_id = "w";
    world_.add(std::move(element));
  }

  // Sets the reply to the next submission.
  void answer_next(v1::SubmitReply reply) {
    const std::size_t before = policy_.submitted.size();
    policy_.intercept = [this, before, reply](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
      if (policy_.submitted.size() != before + 1) return std::nullopt;
      return reply;
    };
  }

  // The last message of each request, with the reply before it.
  std::string told_in_all() const {
    std::string all;
    for (const Request& request : model_.requests) {
      if (request.messages.size() > 1) all += "> " + request.messages[request.messages.size() - 2].text + "\n";
      all += request.messages.back().text + "\n";
    }
    return all;
  }

  void expect_image_pixels_alone(const std::string& text) {
    // Ignores quoted text, and refused places of the model's own.
    const std::regex foreign(R"("([^"\\]|\\.)*"|the point \(\d+,\d+\) is outside the image)");
    const std::string ours = std::regex_replace(text, foreign, "\"\"");
    const std::regex place(R"((\d+),(\d+)|x=(\d+) y=(\d+))");
    for (std::sregex_iterator at(ours.begin(), ours.end(), place), end; at != end; ++at) {
      const bool comma = (*at)[1].matched;
      EXPECT_LT(std::stoi((*at)[comma ? 1 : 3]), kImageWidth) << at->str();
      EXPECT_LT(std::stoi((*at)[comma ? 2 : 4]), kImageHeight) << at->str();
    }
  }
};

// Bug: results of waits and checks were in desktop pixels.
TEST_F(PlacesTest, ModelSeesOnlyImagePixels) {
  model_.says(step("wait_for", R"({"text":"painted","secs":1})"))
      .says(check("Save", "enabled"))
      .says(check("Name", "text", "other"))
      .says(check("Save", "visible"))
      .says(check("Wrap", "checked"))
      .says(check("Save", "visible"))
      .says(check("Wrap", "enabled"))
      .says(plan({click_described("Twin")}))
      .says(check("Save", "visible"))
      .says(step("type_in_described_field", R"({"target_description":"Save","text_to_type":"a"})"))
      .says(step("wait_for", R"({"text":"Saev","secs":1})"))
      .says(check("Save", "visible"))
      .says(step("mouse", R"({"x":470,"y":305})"))
      .says(step("drag", R"({"path":[{"x":470,"y":305},{"x":600,"y":390}]})"))
      .says(step("scroll", R"({"x":470,"y":305,"dy":2})"))
      .says(step("zoom", R"({"x":400,"y":300,"width":100,"height":50})"))
      .says(step("mouse", R"({"x":900,"y":305})"))
      .says(step("ui_snapshot", R"({"scope":"desktop"})"))
      .says(step("ui_find", R"({"query":"Save"})"))
      .says(kDone);
  EXPECT_EQ(run({.max_turns = 40}).end(), v1::TASK_END_DONE);
  EXPECT_EQ(model_.left(), 0u);
  expect_image_pixels_alone(told_in_all());
  expect_golden_text("places", told_in_all());
}

// Bug: the actuator's and the policy's texts about a step reached the model in desktop pixels.
TEST_F(PlacesTest, OutcomesUseImagePixels) {
  const std::vector<v1::SubmitReply> outcomes = {
      outcome(v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_INVALID, "the point at 941,611 is outside the desktop"),
      outcome(v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_STALE_TARGET, "\"Save\" (push button at 940,610) has moved"),
      outcome(v1::Outcome::KIND_NO_EFFECT, v1::Outcome::CODE_UNSPECIFIED, "mouse x=941 y=611"),
      outcome(v1::Outcome::KIND_FAILED, v1::Outcome::CODE_DESKTOP_ERROR, "mouse x=941 y=611 failed at 941,611")};
  for (const auto& reply : outcomes) {
    model_.requests.clear();
    model_.says(step("mouse", R"({"x":470,"y":305})")).says(kDone);
    answer_next(reply);
    run();
    ASSERT_EQ(model_.requests.size(), 2u);
    EXPECT_NE(told(1).find("x=470 y=305"), std::string::npos) << told(1);
    expect_image_pixels_alone(told_in_all());
  }
}

TEST_F(PlacesTest, ElementListUsesImagePixels) {
  model_.says(plan({click_described("Saev")})).says(check("Save", "enabled")).says(kDone);
  EXPECT_EQ(run({.sees = Sees::kElements}).end(), v1::TASK_END_DONE);
  expect_image_pixels_alone(told_in_all());
  expect_golden_text("places_without_eyes", told_in_all());
}

// Bug: the model got places of windows although it had not seen the whole screen.
TEST_F(PlacesTest, ModelThatSeesOnlyRegionsGetsNoPlaces) {
  dialect_ = suggestion_dialect({});
  v1::Decision::Region region;
  region.set_name("page");
  *region.mutable_area() = contract::to_proto(Rect{700, 450, 500, 300});
  model_
      .says(R"({"action_type":"CHECK_ELEMENT_PROPERTY","parameters":{"target_description":"Save",)"
            R"("property_to_check":"enabled"},"reasoning":"It has to be."})")
      .says(R"({"action_type":"NONE","parameters":{},"reasoning":"It is done."})");
  EXPECT_EQ(run({.regions = {region}}).end(), v1::TASK_END_DONE);
  EXPECT_EQ(told_in_all().find(" at "), std::string::npos) << told_in_all();
  EXPECT_NE(told_in_all().find("\"Save\" (push button) is enabled"), std::string::npos) << told_in_all();
}

// Bug: the task's summary used pixels of the image, which no person sees.
TEST_F(PlacesTest, TaskSummaryUsesDesktopPixels) {
  model_.says(step("mouse", R"({"x":470,"y":305})"));
  answer_next(outcome(v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_INVALID, "the point at 941,611 is gone"));
  const auto result = run({.max_turns = 1, .ends_with_turns = true});
  EXPECT_NE(result.summary().find("mouse x=941 y=611"), std::string::npos) << result.summary();
  EXPECT_NE(result.summary().find("the point at 941,611 is gone"), std::string::npos) << result.summary();
}

TEST_F(PlacesTest, StepAnswersUseDesktopPixels) {
  model_.says(check("Save", "enabled")).says(kDone);
  EXPECT_EQ(run().end(), v1::TASK_END_DONE);
  std::string answered;
  while (const auto fact = subscriber_.next(system_clock().now()).value()) {
    if (const auto* answer = fact->as<v1::StepAnswered>()) answered = answer->message();
  }
  EXPECT_EQ(answered, "\"Save\" (push button at 940,610) is enabled");
}

}  // namespace
}  // namespace da::planner::model

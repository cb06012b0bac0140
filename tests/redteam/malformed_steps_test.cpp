// Steps that are huge, broken or from another contract version, as messages and as a model's JSON.
#include <google/protobuf/stubs/logging.h>
#include <gtest/gtest.h>

#include <limits>

#include "lib/base/text.h"
#include "lib/contract/json/parse.h"
#include "tests/acted.h"
#include "tests/redteam/world.h"

namespace da::redteam {
namespace {

class MalformedSteps : public testing::Test {
 protected:
  MalformedSteps() { world_.open_editor(); }

  // Expects that the request neither acts nor asks.
  void expect_refused(const v1::SubmitRequest& request, const std::string& what) {
    const std::string before = world_.traces();
    const auto reply = world_.policy().submit(request, {});
    EXPECT_TRUE(!reply || reply->verdict().decision() == v1::Verdict::DECISION_DENY) << what;
    EXPECT_EQ(world_.traces(), before) << what;
    EXPECT_TRUE(world_.asked().empty()) << what;
  }
  void expect_refused(const v1::Action& action, const std::string& what) { expect_refused(request(action), what); }
  v1::SubmitRequest request(const v1::Action& action) const {
    v1::SubmitRequest request;
    request.set_task_token(task_.token);
    *request.mutable_step() = step(action);
    return request;
  }

  World world_;
  const World::Open task_ = world_.open_unlocked();
};

TEST_F(MalformedSteps, HugeStepsAreRefused) {
  expect_refused(write(std::string(20'001, 'x')), "write");
  expect_refused(paste(std::string(200'001, 'x')), "paste");
  expect_refused(paste(std::string(5'000'000, 'x')), "a step of 5 MB");
  expect_refused(launch("notes " + std::string(3'000, 'x')), "launch");
  expect_refused(file_delete("/" + std::string(5'000, 'x')), "file_delete");
  expect_refused(press({std::string(1'000'000, 'x')}), "press");
  auto path = press({});
  for (int i = 0; i < 100'000; ++i) path.mutable_press()->add_keys("x");
  expect_refused(path, "a run of keys");
  v1::Action drag;
  for (int i = 0; i < 100'000; ++i) drag.mutable_drag()->add_path()->set_x(i % 1000);
  expect_refused(drag, "drag");
  auto talkative = request(write("x"));
  talkative.mutable_step()->set_justification(std::string(8'001, 'x'));
  expect_refused(talkative, "justification");
  auto named = request(write("x"));
  named.mutable_step()->set_step_id(std::string(101, 'x'));
  expect_refused(named, "step id");
  named.mutable_step()->clear_step_id();
  expect_refused(named, "no step id");
}

TEST_F(MalformedSteps, UnknownValuesAreRefused) {
  const google::protobuf::LogSilencer quiet;
  expect_refused(v1::Action(), "no tool");
  auto gesture = click(300, 200);
  gesture.mutable_mouse()->set_action(static_cast<v1::Mouse::Gesture>(99));
  expect_refused(gesture, "a gesture of 99");
  auto button = click(300, 200);
  button.mutable_mouse()->set_button(static_cast<v1::MouseButton>(-1));
  expect_refused(button, "a button of -1");
  auto clicks = click(300, 200);
  clicks.mutable_mouse()->set_clicks(4'000'000'000U);
  expect_refused(clicks, "clicks");
  v1::Action sleep;
  for (const double secs :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1.0, 1e300}) {
    sleep.mutable_sleep()->set_secs(secs);
    expect_refused(sleep, "sleep " + std::to_string(secs));
  }
  for (const char* key : {"", "ctrl+s", "no such key", "\x1b", "\n", "Enter ", "\xff", "\u200b\u200b"}) {
    expect_refused(press({key}), std::string("key ") + key);
    expect_refused(hotkey({"ctrl", key}), std::string("chord with ") + key);
  }
  expect_refused(hotkey({}), "no keys");
  v1::Action both = press({"x"});
  both.mutable_press()->set_key("y");
  expect_refused(both, "key and keys");
}

TEST_F(MalformedSteps, PlacesOutsideTheDesktopAreRefused) {
  constexpr int kMin = std::numeric_limits<int>::min();
  constexpr int kMax = std::numeric_limits<int>::max();
  for (const auto& [x, y] : {std::pair(kMin, kMin), std::pair(kMax, kMax), std::pair(-1, 5), std::pair(1280, 5)}) {
    const std::string before = world_.traces();
    for (const auto& action : {click(x, y), move(x, y)}) {
      const auto reply = world_.reply(task_, action);
      EXPECT_FALSE(test::acted(reply.outcome())) << x << "," << y;
    }
    v1::Action drag;
    drag.mutable_drag()->add_path()->set_x(x);
    drag.mutable_drag()->add_path()->set_y(y);
    EXPECT_FALSE(test::acted(world_.reply(task_, drag).outcome()));
    EXPECT_EQ(world_.traces(), before);
  }
}

TEST_F(MalformedSteps, InvalidTextIsRefused) {
  const google::protobuf::LogSilencer quiet;
  for (const char* bytes : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "ok\xc3"}) {
    expect_refused(write(bytes), bytes);
    expect_refused(paste(bytes), bytes);
    expect_refused(launch(bytes), bytes);
    expect_refused(terminate(bytes), bytes);
  }
}

TEST_F(MalformedSteps, FieldsOfANewerContractAreRefused) {
  auto outer = write("x");
  outer.GetReflection()->MutableUnknownFields(&outer)->AddVarint(1'000, 1);
  expect_refused(outer, "unknown field of Action");
  auto inner = write("x");
  auto* arguments = inner.mutable_write();
  arguments->GetReflection()->MutableUnknownFields(arguments)->AddLengthDelimited(99, "rm -rf ~");
  expect_refused(inner, "unknown field of Write");
  v1::Action drag;
  for (const int x : {300, 310}) drag.mutable_drag()->add_path()->set_x(x);
  auto* point = drag.mutable_drag()->mutable_path(1);
  point->GetReflection()->MutableUnknownFields(point)->AddFixed64(7, 7);
  expect_refused(drag, "unknown field of a point");
}

TEST_F(MalformedSteps, UnknownToolIsRefused) {
  v1::Action action;
  ASSERT_TRUE(action.ParseFromString("\xfa\x3e\x03xyz"));  // Field 1007: no tool.
  expect_refused(action, "a tool of the future");
}

std::string reply_of(const std::string& steps, const std::string& done = "null") {
  return R"({"steps":[)" + steps + R"(],"done":)" + done + "}";
}

std::string step_of(const std::string& tool, const std::string& args, const std::string& why = "j") {
  return R"({"tool":")" + tool + R"(","args":)" + args + R"(,"human_readable_justification":")" + why + "\"}";
}

TEST(MalformedJson, IsRefusedWithAnExplanation) {
  const std::string good = step_of("write", R"({"text":"x"})");
  ASSERT_TRUE(contract::parse_steps(reply_of(good)));
  std::string nested = "1";
  for (int i = 0; i < 40; ++i) nested = "{\"a\":" + nested + "}";
  const std::vector<std::string> replies = {
      "",
      "null",
      "NaN",
      std::string(100'000, '[') + std::string(100'000, ']'),
      nested,
      R"({"steps":[],"steps":[)" + good + R"(],"done":null})",
      reply_of(R"({"tool":"launch",)" + good.substr(1)),
      reply_of(step_of("write", R"({"text":"x","text":"y"})")),
      reply_of(step_of("write", R"({"text":"x","Text":"y"})")),
      reply_of(step_of("write", R"({"text":"\ud800"})")),
      reply_of(step_of("write", "{\"text\":\"\xff\"}")),
      reply_of(step_of("write", R"({"text":["x"]})")),
      reply_of(step_of("Write", R"({"text":"x"})")),
      reply_of(step_of("write", R"({"text":"x"})", " ")),
      reply_of(step_of("write\\u0000", R"({"text":"x"})")),
      reply_of(step_of("sleep", R"({"secs":NaN})")),
      reply_of(step_of("sleep", R"({"secs":1e999})")),
      reply_of(step_of("mouse", R"({"x":1e12,"y":0})")),
      reply_of(step_of("mouse", R"({"x":1.5,"y":0})")),
      reply_of(good, "\"finished\""),
      reply_of(good, R"(null,"approved":true)"),
      "```json\n" + reply_of(good) + "\n```",
      "Sure! " + reply_of(good),
      reply_of(good) + "{}",
  };
  for (const std::string& json : replies) {
    const auto parsed = contract::parse_steps(json);
    ASSERT_FALSE(parsed) << json.substr(0, 200);
    EXPECT_FALSE(parsed.error().message.empty());
    EXPECT_LT(parsed.error().message.size(), 2'000U) << json.substr(0, 200);
    EXPECT_EQ(escape_foreign_lines(parsed.error().message, 10'000), parsed.error().message) << json.substr(0, 200);
  }
}

}  // namespace
}  // namespace da::redteam

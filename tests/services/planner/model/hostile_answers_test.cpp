// Hostile answers in whole tasks: calls of computer tools, single suggestions and boxes. No step of them is carried
// out.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "services/planner/model/wire/make_wire_format.h"
#include "services/planner/model/wire/wire_format.h"
#include "tests/services/planner/model/kept_replies.h"
#include "tests/services/planner/model/model_task.h"

namespace da::planner::model {
namespace {

// The text between `begin` and `end`.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const auto at = text.find(begin);
  if (at == std::string::npos) return "(no " + begin + "in: " + text + ")";
  const auto from = at + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

struct ToolProvider {
  Api api;
  Vocabulary vocabulary;
};

class HostileAnswer : public ModelTask, public testing::WithParamInterface<KeptReply> {
 protected:
  HostileAnswer() { world_.open_window({"w", "Page"}); }

  // The reply's folder.
  std::string kind() const { return between(GetParam().file, "hostile/", "/"); }

  // The error for a provider's whole answer to a request with its computer tool.
  std::string call(const ToolProvider& provider) {
    dialect_ = computer_dialect(provider.vocabulary);
    const auto format = make_wire_format({.api = provider.api, .model = "m", .computer = true});
    const auto reply = format->read(200, GetParam().text);
    // Answers that break the API's form never reach the planner.
    if (!reply) return reply.error().message;
    for (int i = 0; i < 3; ++i) model_.answers(*reply);
    EXPECT_EQ(run().end(), v1::TASK_END_FAILED);
    EXPECT_EQ(model_.requests.size(), 3u) << "told back once, and once more";
    return between(told(1), "Nothing of your last reply was carried out: ", "\n");
  }

  std::string suggestion() {
    dialect_ = suggestion_dialect({});
    for (int i = 0; i < 3; ++i) model_.says(GetParam().text);
    EXPECT_EQ(run().end(), v1::TASK_END_FAILED);
    EXPECT_EQ(model_.requests.size(), 3u) << "told back once, and once more";
    return between(told(1), "Your reply was not accepted, and nothing of it was carried out: ", "\n");
  }

  std::string box() {
    model_.says(plan({click_described("the blue one")})).says(GetParam().text).says(GetParam().text).says(kDone);
    EXPECT_EQ(run().end(), v1::TASK_END_DONE);
    EXPECT_EQ(model_.requests.size(), 4u) << "told back once";
    return between(told(3), "could not be used: ", "\n");
  }
};

TEST_P(HostileAnswer, IsReportedAndNoStepRuns) {
  const std::map<std::string, ToolProvider> providers = {
      {"openai", {Api::kOpenAiResponses, Vocabulary::kOpenAi}},
      {"anthropic", {Api::kAnthropicMessages, Vocabulary::kAnthropic}},
      {"gemini", {Api::kGemini, Vocabulary::kGemini}}};
  const auto provider = providers.find(kind());
  const std::string error = provider != providers.end() ? call(provider->second)
                            : kind() == "suggestion"    ? suggestion()
                                                        : box();
  EXPECT_TRUE(is_expected(GetParam(), error))
      << GetParam().file << "\n  is:       " << error << "\n  expected: " << GetParam().expected;
  EXPECT_TRUE(policy_.submitted.empty()) << "nothing is even asked for";
  EXPECT_TRUE(world_.performed.empty());
}

INSTANTIATE_TEST_SUITE_P(Kept, HostileAnswer, testing::ValuesIn(kept_replies("hostile")),
                         [](const testing::TestParamInfo<KeptReply>& reply) { return reply.param.test_name(); });

}  // namespace
}  // namespace da::planner::model

#include "services/planner/model/doctor/question.h"

#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "services/planner/model/wire/answer_fields.h"

namespace da::planner::model {
namespace {

constexpr Milliseconds kQuestionTimeout{60'000};
constexpr std::uint32_t kMostTokens = 2048;  // Thinking models need some before they answer.
constexpr std::size_t kShown = 120;

Request question() {
  Request request;
  request.system = "You answer with one JSON object and nothing else.";
  request.messages = {{Message::From::kUser, "Are you ready? Answer {\"ready\": true}.", {}}};
  request.max_output_tokens = kMostTokens;
  request.schema_name = "readiness";
  request.schema = {{"type", "object"},
                    {"properties", {{"ready", {{"type", "boolean"}}}}},
                    {"required", {"ready"}},
                    {"additionalProperties", false}};
  return request;
}

bool follows_schema(const std::string& text) {
  const auto answer = parse_json(text);
  return answer && answer->is_object() && answer->size() == 1 && answer->contains("ready") &&
         answer->at("ready").is_boolean();
}

}  // namespace

service::Check ask_question(Model& model, const Clock& clock) {
  const MonoTime begun = clock.now();
  const auto reply = model.answer(question(), kQuestionTimeout, {});
  const auto took = std::chrono::duration_cast<Milliseconds>(clock.now() - begun);
  service::Check check{"model answer", false, "", "choose another model, or correct the problem named here"};
  if (!reply) {
    check.found = escape_foreign(reply.error().error.message, 2 * kShown);
  } else if (reply->finish != Finish::kComplete) {
    check.found = "it did not answer to the end: " + escape_foreign(reply->detail, kShown);
  } else if (!follows_schema(reply->text)) {
    check.found = "it does not keep to the schema: " + quote_foreign(reply->text, kShown);
    check.advice = "choose another model: a planner's replies are JSON, and malformed ones end a task";
  } else {
    check.ok = true;
    check.found = "as the schema demands, after " + std::to_string(took.count()) + " ms, for " +
                  std::to_string(reply->usage.input_tokens + reply->usage.output_tokens) + " tokens";
    check.advice = "";
  }
  return check;
}

}  // namespace da::planner::model

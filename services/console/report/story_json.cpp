#include "services/console/report/story_json.h"

#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "lib/recording/reading/recording_reader.h"
#include "services/console/report/story_text.h"
#include "services/console/terminal/stream/enum_words.h"

namespace da::console {
namespace {

using Json = nlohmann::ordered_json;

Json approval_answer_json(const StoryApproval& approval) {
  Json json;
  if (approval.request) {
    json["id"] = approval.request->approval_id();
    json["asked"] = format_wall(approval.asked);
    json["second_factor"] = approval.request->second_factor();
  }
  if (approval.decision) {
    const v1::ApprovalDecision& decision = *approval.decision;
    json["id"] = decision.approval_id();
    json["answer"] = enum_words(v1::ApprovalDecision::Answer_Name(decision.answer()), "ANSWER_");
    json["approver"] = decision.approver();
    json["reason"] = decision.reason();
    json["answered"] = format_wall(approval.answered);
  }
  return json;
}

Json outcome_json(const StoryOutcome& outcome) {
  return {{"kind", enum_words(v1::Outcome::Kind_Name(outcome.outcome.kind()), "KIND_")},
          {"code", outcome.outcome.code() == v1::Outcome::CODE_UNSPECIFIED
                       ? ""
                       : enum_words(v1::Outcome::Code_Name(outcome.outcome.code()), "CODE_")},
          {"message", outcome.outcome.message()},
          {"done", outcome.outcome.done()},
          {"total", outcome.outcome.total()},
          {"at", format_wall(outcome.at)}};
}

Json step_json(const StoryStep& step) {
  Json json = {{"id", step.step.step_id()}, {"at", format_wall(step.at)}, {"action", action_words(step)}};
  if (contract::tool_of(step.step.action()) != nullptr) json["call"] = contract::call_json(step.step.action());
  json["justification"] = step.step.justification();
  json["status"] = status_words(step_status(step));
  if (step.verdict) {
    json["decision"] = enum_words(v1::Verdict::Decision_Name(step.verdict->decision()), "DECISION_");
    json["rule"] = step.verdict->rule();
    json["reason"] = step.verdict->reason();
    json["risk"] = risk_words(step);
  }
  json["approvals"] = Json::array();
  for (const StoryApproval& approval : step.approvals) json["approvals"].push_back(approval_answer_json(approval));
  json["granted_by"] = step.grant_approver;
  json["outcomes"] = Json::array();
  for (const StoryOutcome& outcome : step.outcomes) json["outcomes"].push_back(outcome_json(outcome));
  if (step.answer) json["answer"] = {{"ok", step.answer->ok()}, {"message", step.answer->message()}};
  return json;
}

Json call_json_of(const StoryCall& entry) {
  const v1::ModelCall& call = entry.call;
  return {{"at", format_wall(entry.at)},
          {"provider", call.provider()},
          {"model", call.model()},
          {"finish", call.finish()},
          {"detail", call.detail()},
          {"latency_ms", call.latency_ms()},
          {"tries", call.tries()},
          {"input_tokens", call.usage().input_tokens()},
          {"output_tokens", call.usage().output_tokens()},
          {"cost", call.cost()},
          {"reply", call.reply()},
          {"tool_calls", call.tool_calls()}};
}

}  // namespace

Json approvals_json(const ApprovalCounts& counts) {
  return {{"asked", counts.asked},     {"approved", counts.approved},   {"denied", counts.denied},
          {"expired", counts.expired}, {"withdrawn", counts.withdrawn}, {"edited", counts.edited}};
}

Json story_json(const TaskStory& story) {
  using recording::RecordingReader;
  Json json = {{"task", story.task_id()},
               {"goal", story.goal()},
               {"result", result_words(story)},
               {"summary", story.result ? story.result->summary() : RecordingReader::value(story.end, "summary")},
               {"opened_by", RecordingReader::value(story.about, "opened_by")},
               {"planner", RecordingReader::value(story.about, "planner")},
               {"desktop", RecordingReader::value(story.about, "desktop")},
               {"version", RecordingReader::value(story.about, "version")},
               {"rules_version", story.opened ? story.opened->state().rules_version() : ""},
               {"began", format_wall(story.began)},
               {"ended", format_wall(story.last)},
               {"recording", story.file},
               {"complete", story.problem.empty() && story.lost == 0 && story.left_out == 0},
               {"problem", story.problem},
               {"lost", story.lost},
               {"left_out", story.left_out}};
  json["approvals"] = approvals_json(story.approvals);
  if (story.result) {
    json["parts"] = {{"carried_out", story.result->parts_carried_out()}, {"proven", story.result->parts_proven()}};
    json["unproven"] = Json::array();
    for (const v1::UnprovenPart& part : story.result->unproven())
      json["unproven"].push_back({{"part", part.part()}, {"why", part.why()}});
  }
  json["failures"] = story.failures;
  json["steps"] = Json::array();
  for (const StoryStep& step : story.steps) json["steps"].push_back(step_json(step));
  json["model_calls"] = Json::array();
  for (const StoryCall& call : story.calls) json["model_calls"].push_back(call_json_of(call));
  json["events"] = Json::array();
  for (const StoryEvent& event : story.events) {
    json["events"].push_back({{"at", format_wall(event.at)}, {"noun", event.noun}, {"text", event.text}});
  }
  return json;
}

}  // namespace da::console

#include "services/console/terminal/stream/event_text.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "da/v1/model.pb.h"
#include "da/v1/observation.pb.h"
#include "da/v1/pause.pb.h"
#include "da/v1/task.pb.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "lib/contract/evidence/element_name.h"
#include "lib/contract/evidence/element_state.h"
#include "lib/contract/named_action.h"
#include "lib/service/stopping/stop_machine.h"
#include "services/console/terminal/stream/enum_words.h"
#include "services/console/terminal/stream/json_line.h"

namespace da::console {
namespace {

using google::protobuf::Message;

constexpr std::size_t kShownOfJustification = 500;  // Bytes.

std::string line(const char* noun, const std::string& text) {
  std::string padded(noun);
  padded.resize(std::max<std::size_t>(10, padded.size() + 1), ' ');
  return padded + text;
}

std::string in_parentheses(const std::string& foreign) {
  return foreign.empty() ? "" : " (" + escape_foreign(foreign, 300) + ")";
}

std::string plan_text(const v1::Plan& plan) {
  if (plan.has_done()) return "done: " + escape_foreign(plan.done());
  std::string text;
  for (const v1::Step& step : plan.steps()) {
    const bool named = contract::tool_of(step.action()) != nullptr;
    text += (text.empty() ? "" : "; then ") + (named ? contract::describe(step) : "no call yet") +
            in_parentheses(step.justification());
  }
  return text;
}

std::string observation_text(const v1::Observation& seen) {
  const auto& focused = seen.focused_window();
  return (seen.has_focused_window() ? "\"" + escape_foreign(focused.title(), 60) + "\" has the focus"
                                    : std::string("nothing has the focus")) +
         ", " + std::to_string(seen.windows_size()) + " windows, " + std::to_string(seen.ui_nodes()) + " elements, " +
         std::to_string(seen.changed_tiles()) + " tiles changed" + (seen.settled() ? "" : ", still changing");
}

std::string call_text(const v1::ModelCall& call) {
  std::ostringstream text;
  text << escape_foreign(call.model(), 60) << (call.finish().empty() ? " failed" : " answered") << " after "
       << std::fixed << std::setprecision(1) << call.latency_ms() / 1000.0 << " s";
  if (call.tries() > 1) text << " and " << call.tries() << " tries";
  text << ", " << call.usage().input_tokens() << " + " << call.usage().output_tokens() << " tokens";
  if (call.cost() > 0) text << ", cost " << std::setprecision(4) << call.cost();
  if (!call.detail().empty()) text << ": " << escape_foreign(call.detail(), 300);
  return text.str();
}

std::string outcome_text(const v1::Outcome& outcome, const std::string& step) {
  std::string text = enum_words(v1::Outcome::Kind_Name(outcome.kind()), "KIND_");
  if (outcome.code() != v1::Outcome::CODE_UNSPECIFIED) {
    text += " " + enum_words(v1::Outcome::Code_Name(outcome.code()), "CODE_");
  }
  if (outcome.total() > 1) text += " " + std::to_string(outcome.done()) + "/" + std::to_string(outcome.total());
  return text + "  " + escape_foreign(step.empty() ? outcome.tool() : step, 300) + in_parentheses(outcome.message());
}

std::string verdict_text(const v1::Verdict& verdict) {
  return enum_words(v1::Verdict::Decision_Name(verdict.decision()), "DECISION_") + "  " +
         escape_foreign(verdict.action_text(), 300) + " (rule " + escape_foreign(verdict.rule(), 80) +
         (verdict.reason().empty() ? "" : ": " + escape_foreign(verdict.reason(), 300)) + ")" +
         (verdict.dry_run() ? " [dry run]" : "");
}

// An expired approval has no approver.
std::string decision_text(const v1::ApprovalDecision& decision) {
  const std::string by = decision.approver().empty() ? "" : " by " + escape_foreign(decision.approver(), 60);
  if (decision.answer() == v1::ApprovalDecision::ANSWER_EXPIRED && by.empty()) {
    return escape_foreign(decision.approval_id(), 40) + " expired: nobody answered in time";
  }
  return escape_foreign(decision.approval_id(), 40) + " " +
         enum_words(v1::ApprovalDecision::Answer_Name(decision.answer()), "ANSWER_") + by +
         in_parentheses(decision.reason());
}

std::string answer_text(const v1::StepAnswered& answered, const std::string& step) {
  return escape_foreign(step.empty() ? answered.tool() : step, 300) + (answered.ok() ? ": " : " failed: ") +
         escape_foreign(answered.message(), 300);
}

// The reason of a failed sentence names the sentence itself.
std::string failure_text(const v1::PartFailed& failed) {
  const std::string reason = escape_foreign(failed.reason(), 1000);
  return failed.stage() == v1::PartFailed::STAGE_REPLY ? "the model's reply could not be used: " + reason : reason;
}

std::string reply_text(const v1::UserAnswer& reply) {
  if (!reply.answered()) return "nobody answered";
  return quote_foreign(reply.answer(), 300) + " by " + escape_foreign(reply.by(), 60);
}

std::string pause_text(const v1::Pause& pause) {
  if (const auto obstacle = service::session_obstacle(pause.cause()); !obstacle.empty()) {
    return std::string(obstacle) + in_parentheses(pause.reason());
  }
  switch (pause.cause()) {
    case v1::Pause::CAUSE_PERSON: return "a person uses the desktop" + in_parentheses(pause.reason());
    case v1::Pause::CAUSE_POLICY_SILENT: return "no heartbeats from the policy; goes on by itself";
    default: return "by a person" + in_parentheses(pause.reason());
  }
}

// The report of a rule that fires has a line for each condition.
std::string rule_text(const v1::RuleEvent& event) {
  constexpr std::size_t kShown = 4000;
  const std::string name = quote_foreign(event.rule(), 100);
  switch (event.kind()) {
    case v1::RuleEvent::KIND_FIRES: {
      const std::string why(trim(escape_foreign_lines(event.text(), kShown)));
      return line("rule", why.empty() ? name + " fires" : why);
    }
    case v1::RuleEvent::KIND_LOG:
      return line("log", escape_foreign(event.level(), 20) + "  " + escape_foreign(event.text(), kShown) + " (rule " +
                             name + ")");
    case v1::RuleEvent::KIND_FAILED: return line("rule", name + " failed: " + escape_foreign(event.text(), kShown));
    case v1::RuleEvent::KIND_TASK: return line("model", escape_foreign(event.text(), kShown) + " (rule " + name + ")");
    default: return line("rule", name);
  }
}

std::string policy_pause_text(const v1::PolicyPause& fact) {
  const std::string by = fact.by().empty() ? "" : ", by " + escape_foreign(fact.by(), 60);
  if (!fact.paused()) return "the pause is over" + by;
  const bool locked = fact.pause().cause() == v1::Pause::CAUSE_SESSION_LOCKED;
  return "PAUSED: " + pause_text(fact.pause()) + by + "; " + (locked ? "unlock it, then " : "") +
         "resume with: da-console resume";
}

// An approval must show the end of a very long text, so it omits the middle, with a notice.
constexpr std::size_t kShownOfApproval = 4000;

std::string without_middle(const std::string& escaped) {
  const auto scalars = decode_utf8(escaped);
  if (!scalars || scalars->size() <= kShownOfApproval) return escaped;
  const std::size_t hidden = scalars->size() - kShownOfApproval;
  std::string text;
  for (const char32_t c : scalars->substr(0, kShownOfApproval / 2)) append_utf8(text, c);
  text += " [... " + std::to_string(hidden) + " CHARACTERS ARE NOT SHOWN; `da-console pending --json` shows them ...] ";
  for (const char32_t c : scalars->substr(kShownOfApproval / 2 + hidden)) append_utf8(text, c);
  return text;
}

// The action with names from the evidence; empty if the evidence adds none.
std::string headline(const v1::ApprovalRequest& request) {
  const std::string named = contract::describe(request.step().action(), request.evidence());
  return named == contract::describe(request.step().action()) ? "" : named;
}

// The action itself, not the proposer's description.
std::string action_asked_about(const v1::ApprovalRequest& request) {
  const bool has_action = request.step().action().tool_case() != v1::Action::TOOL_NOT_SET;
  return without_middle(has_action ? contract::describe(request.step().action(), contract::Extent::kWhole)
                                   : escape_foreign(request.action_text(), request.action_text().size()));
}

// `check box "Encrypt", now off`. Quotes the name, so that it cannot imitate a state.
std::string element_words(const v1::UiNode& element) {
  if (element.role().empty()) return {};
  const std::string state = contract::state_words(element);
  return element.role() + " " + quote_foreign(element.name(), 2 * element.name().size() + 1) +
         (contract::may_be_cut(element.name()) ? " (CUT: its end is not known)" : "") +
         (state.empty() ? "" : ", now " + state);
}

// Quotes words with spaces or quotes, so that one word does not look like two.
std::string command_words(const google::protobuf::RepeatedPtrField<std::string>& argv) {
  std::string line;
  for (const std::string& word : argv) {
    const bool plain = !word.empty() && word.find_first_of(" \t\n\"'\\") == std::string::npos;
    line += (line.empty() ? "" : " ") + (plain ? word : json_line(word));
  }
  return line;
}

std::int64_t seconds_left(std::int64_t expires_wall_ns, WallTime now) {
  return std::max<std::int64_t>(0, (expires_wall_ns - now.time_since_epoch().count()) / 1'000'000'000);
}

std::string message_json(const Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string json;
  if (!google::protobuf::util::MessageToJsonString(message, &json, options).ok()) return "{}";
  return escape_invisible(json);
}

std::string rules_text(const v1::RulesState& rules) {
  if (!rules.problem().empty()) return "NOT in force: " + escape_foreign(rules.problem(), 300);
  if (rules.unaccepted_version().empty()) return "the changed rule file is in force";
  return "the rule file was changed and is NOT accepted, so the rules before stay in force: da-console policy accept " +
         escape_foreign(rules.file(), 300);
}

}  // namespace

std::string event_line(const bus::Fact& fact, const std::string& step) {
  std::string text;
  if (const auto* state = fact.as<v1::TaskStateChanged>()) {
    text = line("state", enum_words(v1::TaskState_Name(state->state()), "TASK_STATE_") +
                             (state->detail().empty() ? "" : ": " + escape_foreign(state->detail(), 300)));
  } else if (const auto* seen = fact.as<v1::Observation>()) {
    text = line("observed", observation_text(*seen));
  } else if (const auto* plan = fact.as<v1::Plan>()) {
    text = line("plan", plan_text(*plan));
  } else if (const auto* verdict = fact.as<v1::Verdict>()) {
    text = line("verdict", verdict_text(*verdict));
  } else if (const auto* outcome = fact.as<v1::Outcome>()) {
    text = line("outcome", outcome_text(*outcome, step));
  } else if (const auto* answered = fact.as<v1::StepAnswered>()) {
    text = line("answer", answer_text(*answered, step));
  } else if (const auto* failed = fact.as<v1::PartFailed>()) {
    text = line("failed", failure_text(*failed));
  } else if (const auto* question = fact.as<v1::UserQuestion>()) {
    text =
        line("question", escape_foreign(question->question_id(), 40) + "  " + quote_foreign(question->question(), 300));
  } else if (const auto* reply = fact.as<v1::UserAnswer>()) {
    text = line("reply", escape_foreign(reply->question_id(), 40) + "  " + reply_text(*reply));
  } else if (const auto* event = fact.as<v1::RuleEvent>()) {
    text = rule_text(*event);
  } else if (const auto* call = fact.as<v1::ModelCall>()) {
    text = line("model", call_text(*call));
  } else if (const auto* decision = fact.as<v1::ApprovalDecision>()) {
    text = line("approval", decision_text(*decision));
  } else if (const auto* asked = fact.as<v1::ApprovalRequest>()) {
    text = line("asks", escape_foreign(asked->approval_id(), 40) + "  " + escape_foreign(asked->action_text(), 300));
  } else if (const auto* lock = fact.as<v1::WriteLockState>()) {
    text = line("lock", std::string(lock->open() ? "open" : "closed") + " by " + escape_foreign(lock->by(), 60));
  } else if (const auto* rules = fact.as<v1::RulesState>()) {
    text = line("rules", rules_text(*rules));
  } else if (const auto* halt = fact.as<v1::PolicyHalt>()) {
    text = line("policy", (halt->halted() ? "halted" : "resumed") + in_parentheses(halt->reason()));
  } else if (const auto* pause = fact.as<v1::PolicyPause>()) {
    text = line("policy", policy_pause_text(*pause));
  } else if (const auto* held = fact.as<v1::ActuatorPause>()) {
    text = line("actuator", held->paused() ? "paused: " + pause_text(held->pause()) : "the pause is over");
  } else if (const auto* stop = fact.as<v1::ActuatorHalt>()) {
    text = line("actuator", (stop->halted() ? "halted" : "resumed") + in_parentheses(stop->reason()));
  }
  if (fact.lost_before > 0 && !text.empty()) {
    text = line("lost", std::to_string(fact.lost_before) + " facts of " + fact.topic) + "\n" + text;
  }
  return text;
}

std::string event_json(const bus::Fact& fact) {
  std::string body;
  if (const auto* image = fact.as<v1::ImageFact>()) {
    v1::ImageFact without = *image;
    without.clear_data();
    body = message_json(without);
  } else if (const auto* asked = fact.as<v1::ApprovalRequest>()) {
    body = approval_json(*asked, "");
  } else {
    body = message_json(*fact.message);
  }
  return "{\"topic\":\"" + fact.topic + "\",\"lost_before\":" + std::to_string(fact.lost_before) + ",\"fact\":" + body +
         "}";
}

std::string approval_json(const v1::ApprovalRequest& request, const std::string& picture) {
  v1::ApprovalRequest without = request;
  without.mutable_evidence()->clear_picture_png();
  std::string json = message_json(without);
  if (picture.empty()) return json;
  json.pop_back();
  return json + (json.size() > 1 ? "," : "") + "\"picture\":" + json_line(picture) + "}";
}

std::string question_json(const v1::UserQuestion& question) { return message_json(question); }

std::string question_text(const v1::UserQuestion& question, WallTime now, std::size_t columns) {
  // Not cut, because the catalogue limits its length.
  const std::string whole = quote_foreign(question.question(), 2 * question.question().size());
  return marked_lines("question " + escape_foreign(question.question_id(), 40) + " of a model (untrusted): " + whole,
                      columns) +
         "\n  Do not tell it passwords, codes or keys: the model's provider reads the answer, and records keep it." +
         "\n  An answer approves nothing. The question expires in " +
         std::to_string(seconds_left(question.expires_wall_ns(), now)) + " s; then the model goes on without an answer";
}

std::string unproven_words(const v1::ApprovalRequest& request) {
  const std::uint32_t count = request.unproven_steps();
  if (count == 0) return {};
  const std::string steps =
      count == 1 ? "1 step is not proven: " : std::to_string(count) + " steps are not proven, last: ";
  return steps + request.last_unproven();
}

std::string approval_text(const v1::ApprovalRequest& request, const std::string& picture, WallTime now,
                          std::size_t columns) {
  const auto& evidence = request.evidence();
  const v1::Window& window = evidence.has_target_window() ? evidence.target_window() : evidence.foreground();
  const v1::UiNode& element = evidence.has_target_element() ? evidence.target_element() : evidence.focused_element();
  const std::string named = headline(request);
  const std::string call = action_asked_about(request);
  std::string text = marked_lines(
      "approval " + escape_foreign(request.approval_id(), 40) + ": " + (named.empty() ? call : named), columns);
  text += "\n";
  if (!named.empty()) text += marked_lines("  call:     " + call, columns) + "\n";
  const auto add = [&](const char* label, const std::string& value) {
    if (value.empty()) return;
    text +=
        marked_lines(std::string("  ") + label + without_middle(escape_foreign(value, value.size())), columns) + "\n";
  };
  add("risk:     ", enum_words(v1::Risk_Name(request.risk()), "RISK_"));
  add("rule:     ", request.rule());
  add("because:  ", request.reason());
  add("window:   ", window.title());
  add("process:  ", window.executable());
  add("element:  ", element_words(element));
  add("drop on:  ", evidence.drop_window().title());
  add("          ", evidence.drop_window().executable());
  add("          ", element_words(evidence.drop_element()));
  for (const v1::Window& passed : evidence.passed_windows()) {
    add("passes:   ", passed.title());
    add("          ", passed.executable());
  }
  add("path:     ", evidence.canonical_path());
  if (evidence.has_file_size()) add("size:     ", std::to_string(evidence.file_size()) + " bytes");
  add("command:  ", command_words(evidence.argv()));
  add("as JSON:  ", request.action_json());
  const bool two_ends = !picture.empty() && request.step().action().has_drag();
  // Our own text, which people copy: do not break the line.
  const std::string colours = two_ends ? " (red: where the drag begins, blue: where it ends)" : "";
  if (!picture.empty()) text += "  picture:  " + escape_foreign(picture, picture.size()) + colours + "\n";
  add("words:    ", evidence.approval_words());
  add("before:   ", unproven_words(request));
  add("task of:  ", request.opened_by());
  add("proposer says (untrusted): ", request.step().justification().substr(0, kShownOfJustification));
  if (request.approvals_needed() > 1) {
    add("approvals:",
        " " + std::to_string(request.approved_by_size()) + " of " + std::to_string(request.approvals_needed()));
  }
  if (request.second_factor()) add("needs:    ", "the code of your authenticator");
  const std::int64_t left = seconds_left(request.expires_wall_ns(), now);
  return text + "  expires in " + std::to_string(left) + " s and is then denied";
}

}  // namespace da::console

// Decides whether a step is allowed, denied or asked about. Pure: equal input gives an equal judgement.
//
// - The risk of a step is the catalogue's, raised by every matching rule. Nothing lowers it.
// - The most restrictive matching rule wins (deny, ask with a second factor, ask, allow), whatever their order.
// - A step that no rule matches is denied, and so is everything unknown (tool, value, key, evidence).
// - An allowed write is asked about while the write lock is closed. Always asked about are critical steps, steps with a
//   concern, writes to an element whose name was cut, because the rules did not see its end, and writes that reach a
//   guarded file.
//
// Judgement.rule is the rule's name, or one of these:
//   "default" no rule matched · "write-lock" it is closed · "critical" the tool itself is critical
//   "concern" the proposer wants a person to see the step · "long-name" the element's name was cut
//   "guarded-file" the step reaches the rule file or another file of guarded_files.h; it is critical then
//   "malformed" the call is invalid · "refine-first" a described target was not resolved to a place
//   "evidence" no evidence was gathered · "task-tools" the task may not use the tool
#pragma once

#include <string>
#include <vector>

#include "da/v1/plan.pb.h"
#include "da/v1/verdict.pb.h"
#include "services/policy/judgement/rules.h"
#include "services/policy/judgement/subject.h"

namespace da::policy {

// The rule of a judgement that only lacks evidence.
inline constexpr char kEvidenceRule[] = "evidence";

// Rules of verdicts that no rule file has a part in.
inline constexpr char kUnreadRule[] = "rules";       // The changed rule file cannot be used.
inline constexpr char kRecordedRule[] = "recorded";  // The step was submitted before.
inline constexpr char kHaltedRule[] = "halted";

// No standing approval covers it, because the unseen end of the name may change.
inline constexpr char kLongNameRule[] = "long-name";

// The step reaches a file that decides what the program may do, or proves what it did.
inline constexpr char kGuardedFileRule[] = "guarded-file";

struct Judgement {
  v1::Verdict::Decision decision = v1::Verdict::DECISION_DENY;
  std::string rule = "default";
  std::string reason;  // Shown to people. A planner's words in it are quoted and marked as untrusted.
  v1::Risk risk = v1::RISK_CRITICAL;
  std::string tool;
  v1::Handler handler = v1::HANDLER_UNSPECIFIED;
  bool second_factor = false;         // A rule demands one; only with DECISION_ASK.
  std::vector<std::string> repeated;  // Rules with a repetition whose other conditions hold.
};

// evidence is null for tools that the planner handles; other tools are denied without it. Typing into a run dialog is
// also judged as a launch, and a pointer move with a held button as a drag; only deny and ask rules count for these.
Judgement judge(const Rules& rules, const v1::Step& step, const v1::Evidence* evidence,
                const Circumstances& circumstances);

// Whether `one` lets less happen without a person, or without that person's second factor, than `other` does.
bool is_stricter(const Judgement& one, const Judgement& other);

// Whether all conditions of the rule hold. An allow rule must match all facets that the step acts on, a stricter rule
// any of them.
bool matches(const Rule& rule, const Subject& subject);

// The names of the conditions that do not hold; empty if the rule matches.
std::vector<std::string> failed_conditions(const Rule& rule, const Subject& subject);

}  // namespace da::policy

// Decides what may happen with one step. Pure: the same rules, step, evidence and circumstances give the same
// judgement.
//
// - The step's risk is the catalogue's raised by every rule that matches; nothing lowers it.
// - The most restrictive matching rule wins (deny, ask with a second factor, ask, allow), in whatever order the file
//   has them.
// - Nothing matches: denied. Anything that is not known (tool, value, key, evidence): denied.
// - A write that rules allow asks while the write lock is closed. A critical step asks always, and so does one that
//   came with a concern, and a write on an element whose name was cut: rules did not see its end.
//
// Judgement.rule is the rule's name, or one of the policy's own words:
//   "default" no rule matched · "write-lock" it is closed · "critical" the tool itself is critical
//   "concern" whoever proposed the step wants a person to see it first
//   "long-name" the end of the element's name is not known
//   "malformed" the call cannot be understood · "refine-first" a described target was not turned into a place
//   "evidence" nothing is known about where it would act · "task-tools" the task may not use the tool
#pragma once

#include <string>
#include <vector>

#include "da/v1/plan.pb.h"
#include "da/v1/verdict.pb.h"
#include "services/policy/rules.h"
#include "services/policy/subject.h"

namespace da::policy {

// The end of an element's name may be another by the next time, so no standing approval covers it.
inline constexpr char kLongNameRule[] = "long-name";

struct Judgement {
  v1::Verdict::Decision decision = v1::Verdict::DECISION_DENY;
  std::string rule = "default";
  std::string reason;  // For people. A planner's words in it are quoted, and called untrusted.
  v1::Risk risk = v1::RISK_CRITICAL;
  std::string tool;
  v1::Handler handler = v1::HANDLER_UNSPECIFIED;
  bool second_factor = false;         // With DECISION_ASK: a rule demands one.
  std::vector<std::string> repeated;  // Rules that state a repetition and whose other conditions hold.
};

// evidence is null for tools that the planner handles; for the others that is a denial. A step that types into a dialog
// which starts programs is also judged as a launch. A step that moves the pointer while a button is held is also judged
// as a drag. Of the rules for those, only the ones that deny or ask count.
Judgement judge(const Rules& rules, const v1::Step& step, const v1::Evidence* evidence,
                const Circumstances& circumstances);

// Whether all conditions of the rule hold. An allow rule must match everything that the step acts on; a stricter rule
// any of it.
bool matches(const Rule& rule, const Subject& subject);

// The conditions that do not hold, by the names of the file; empty where the rule matches.
std::vector<std::string> failed_conditions(const Rule& rule, const Subject& subject);

}  // namespace da::policy

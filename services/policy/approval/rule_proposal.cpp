#include "services/policy/approval/rule_proposal.h"

#include <re2/re2.h>

#include <cstdio>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/os/files/files.h"
#include "services/policy/judgement/condition.h"
#include "services/policy/judgement/subject.h"

namespace da::policy {
namespace {

constexpr std::size_t kMaxProposalsBytes = 1 << 20;

// A TOML basic string for a reviewer: control and invisible characters are written as \UXXXXXXXX.
std::string toml_string(std::string_view text) {
  const auto characters = decode_utf8(text);
  if (!characters) return "\"\\uFFFD\"";
  std::string out = "\"";
  for (const char32_t c : *characters) {
    std::string one;
    append_utf8(one, c);
    if (c == U'"' || c == U'\\') {
      out += "\\" + one;
    } else if (escape_foreign(one) == one) {
      out += one;
    } else {
      char escaped[16];
      std::snprintf(escaped, sizeof escaped, "\\U%08X", static_cast<unsigned>(c));
      out += escaped;
    }
  }
  return out + "\"";
}

// A pattern that matches exactly these texts.
std::string exactly(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) {
    if (!list.empty()) list += ", ";
    list += toml_string(text.empty() ? "^$" : "(?-i)^" + re2::RE2::QuoteMeta(text) + "$");
  }
  return "[" + list + "]";
}

std::string comment(const std::string& text) { return "# " + escape_foreign(text, 400) + "\n"; }

}  // namespace

std::string proposed_rule(const v1::ApprovalRequest& approved, const std::string& approver, WallTime now) {
  const v1::Action& action = approved.step().action();
  const contract::Tool* tool = contract::tool_of(action);
  const std::string name = tool == nullptr ? "" : tool->name();
  std::string toml = "\n" + comment("Proposed by " + approver + " at " + format_wall(now) +
                                    ", who approved: " + approved.action_text());
  toml += comment("Rule \"" + approved.rule() +
                  "\" asked. While it matches, it still asks: give it an except of these conditions.");
  toml += "[[rule]]\nname = \"proposed-" + approved.approval_id() + "\"\nverdict = \"allow\"\nreason = " +
          toml_string("approved by " + escape_foreign(approver, 60) + " as a habit") + "\nmatch.tool = [" +
          toml_string(name) + "]\n";
  const auto subject = subject_of(name, action, &approved.evidence());
  if (!subject) return toml;
  for (const Condition& condition : kConditions) {
    const auto& facet = (*subject).*condition.facet;
    const bool of_the_step = condition.name != "desktop" && condition.name != "planner" && condition.name != "window";
    if (facet && of_the_step && !facet->actual.empty())
      toml += "match." + std::string(condition.name) + " = " + exactly(facet->actual) + "\n";
  }
  return toml;
}

Result<void> append_proposal(const std::filesystem::path& file, const std::string& rule) {
  std::error_code failed;
  std::string before;
  if (std::filesystem::exists(file, failed)) {
    ASSIGN_OR_RETURN(before, os::read_file(file, kMaxProposalsBytes));
  } else {
    before = comment(
        "Rules that approvers proposed. None of them is in force: review each one, and copy those that you accept.");
  }
  if (before.size() + rule.size() > kMaxProposalsBytes) {
    return Error{Code::kResourceExhausted, file.string() + " is full of proposals; review and remove some"};
  }
  return os::write_private_file(file, before + rule);
}

}  // namespace da::policy

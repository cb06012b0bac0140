#include "tests/stale/report.h"

#include <functional>
#include <iomanip>

#include "lib/base/text.h"

namespace da::stale {
namespace {

std::string name_of(const Case& each) { return each.application->name + " | " + each.tool + " | " + each.disturbance; }

bool refused(const v1::Outcome& outcome) {
  return outcome.kind() == v1::Outcome::KIND_REFUSED || outcome.kind() == v1::Outcome::KIND_INTERRUPTED;
}

bool noticed(const Case& each, const v1::Outcome& outcome) {
  if (outcome.code() != v1::Outcome::CODE_STALE_TARGET) return false;
  if (each.expected == Expected::kRefuse) return outcome.kind() == v1::Outcome::KIND_REFUSED;
  return outcome.kind() == v1::Outcome::KIND_INTERRUPTED && outcome.done() > 0 && outcome.done() < outcome.total();
}

std::string words(const v1::Outcome& outcome) {
  return v1::Outcome::Kind_Name(outcome.kind()) + " " + v1::Outcome::Code_Name(outcome.code()) + " " +
         std::to_string(outcome.done()) + "/" + std::to_string(outcome.total()) + ": " +
         escape_foreign(outcome.message(), 200);
}

}  // namespace

void Report::count(const Case& each, const std::function<void(Count&)>& change) {
  change(total_);
  change(by_tool_[each.tool]);
  change(by_disturbance_[each.disturbance]);
  change(by_application_[each.application->name]);
}

void Report::add(const Case& each, const v1::Outcome& outcome) {
  if (each.expected != Expected::kAct) {
    const bool missed = !noticed(each, outcome);
    count(each, [&](Count& count) {
      ++count.harmful;
      count.missed += missed ? 1 : 0;
    });
    if (missed) out_ << "MISSED " << name_of(each) << ": " << words(outcome) << std::endl;
    return;
  }
  if (outcome.kind() == v1::Outcome::KIND_FAILED) return add_broken(each, words(outcome));
  count(each, [&](Count& count) {
    ++count.harmless;
    count.false_refusals += refused(outcome) ? 1 : 0;
  });
  if (refused(outcome)) out_ << "FALSE REFUSAL " << name_of(each) << ": " << words(outcome) << std::endl;
}

void Report::add_broken(const Case& each, const std::string& why) {
  count(each, [](Count& count) { ++count.broken; });
  out_ << "BROKEN " << name_of(each) << ": " << why << std::endl;
}

void Report::show_table(const std::string& head, const std::map<std::string, Count>& rows) const {
  const auto line = [&](const std::string& name, const auto&... cells) {
    out_ << std::left << std::setw(40) << name << std::right;
    ((out_ << std::setw(16) << cells), ...);
    out_ << "\n";
  };
  out_ << "\n";
  line(head, "does not matter", "false refusals", "matters", "missed", "broken");
  for (const auto& [name, row] : rows) {
    line(name, row.harmless, row.false_refusals, row.harmful, row.missed, row.broken);
  }
}

void Report::show() const {
  show_table("application", by_application_);
  show_table("tool", by_tool_);
  show_table("disturbance", by_disturbance_);
  show_table("", {{"all", total_}});
  out_ << std::flush;
}

bool Report::good() const {
  return total_.missed == 0 && total_.broken == 0 && total_.false_refusals * 100 <= total_.harmless &&
         total_.harmful > 0;
}

}  // namespace da::stale

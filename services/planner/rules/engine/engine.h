// Decides which rules of a profile act. Pure: the caller gives what is known of the screen, the time and what has acted
// before, and carries out the decisions. Immutable; any thread.
//
// One cycle: take the analyses of needs() for each region, then evaluate(). While the cycle has questions, answer them
// and evaluate again: rules that were decided are decided in the same way, because the screen is the same. Then carry
// out the decisions in order, and call mark_acted() for each.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "services/planner/rules/engine/analyses.h"
#include "services/planner/rules/engine/planned_action.h"
#include "services/planner/rules/engine/report.h"

namespace da::planner::rules {

// What a region's conditions need in every cycle. Pixels, templates, elements and models are asked about only if the
// conditions before them hold.
struct RegionNeeds {
  bool average = false;
  bool ocr = false;
  std::uint32_t dominant = 0;  // Number of clusters; 0: none.
  bool used = false;           // Some rule names the region.
  friend bool operator==(const RegionNeeds&, const RegionNeeds&) = default;
};
std::vector<RegionNeeds> region_needs(const Profile& profile);

// What a run remembers of a rule.
struct RuleState {
  std::optional<MonoTime> acted;  // Last time.
  MonoTime rests_until{};         // Not evaluated before, whatever its cooldown.
  friend bool operator==(const RuleState&, const RuleState&) = default;
};
using RunState = std::vector<RuleState>;
void mark_acted(RunState& state, std::size_t rule, MonoTime now);

struct Decision {
  std::size_t rule = 0;
  std::vector<PlannedParts> actions;  // One per action of the rule. All could be planned; else none is carried out.
  Variables variables;                // To plan a later action again, when the earlier ones have changed the screen.
  std::optional<FoundTemplate> last_match;
  RuleReport report;
};

// A rule that could not be evaluated, or whose actions could not be planned. It does not act.
struct RuleError {
  std::size_t rule = 0;
  std::string message;
};

struct Cycle {
  std::vector<Decision> decisions;  // Same order as in the file.
  std::vector<RuleError> errors;
  std::vector<Question> questions;  // Empty: the cycle is complete.
  bool stop = false;                // The last decision ends the run.
  std::vector<RuleReport> reports;  // Of all rules, with Reports::kAll.
};

enum class Reports { kOfDecisions, kAll };

class Engine {
 public:
  // `profile` must outlive it.
  explicit Engine(const Profile& profile) : profile_(profile), needs_(region_needs(profile)) {}

  const std::vector<RegionNeeds>& needs() const { return needs_; }
  // When the next rule that rests at `now` is evaluated again; nullopt: none ever is. Until then, an evaluation of the
  // same analyses gives the same cycle.
  std::optional<MonoTime> next_rested(const RunState& state, MonoTime now) const;

  // `given`: variables from outside of the profile. `analyses` has an entry for each region, `state` one for each rule.
  // Rules after one that ends the run are not evaluated, also while that one is still undecided. Neither are rules
  // before `from`.
  Cycle evaluate(const Analyses& analyses, const Variables& given, const RunState& state, MonoTime now,
                 Reports reports = Reports::kOfDecisions, std::size_t from = 0) const;

 private:
  const Profile& profile_;
  std::vector<RegionNeeds> needs_;
};

}  // namespace da::planner::rules

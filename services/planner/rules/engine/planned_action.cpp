#include "services/planner/rules/engine/planned_action.h"

#include <algorithm>
#include <cmath>

#include "lib/base/text.h"
#include "lib/contract/json/parse.h"
#include "lib/contract/named_action.h"
#include "services/planner/rules/engine/click_target.h"
#include "services/planner/rules/profile/key_chord.h"
#include "services/planner/rules/profile/rule_fields.h"

namespace da::planner::rules {
namespace {

using Planned = std::variant<PlannedParts, Question, Error>;

constexpr double kMsPerSecond = 1'000;
constexpr double kMaxSleepSeconds = 5;           // The tool sleep's limit.
constexpr std::uint32_t kMinClickInterval = 10;  // The tool mouse's limit.
constexpr std::size_t kShownText = 300;

std::uint32_t milliseconds(double seconds) { return static_cast<std::uint32_t>(std::lround(seconds * kMsPerSecond)); }

class ActionPlanner {
 public:
  ActionPlanner(const Profile& profile, const Rule& rule, const Findings& findings, const Analyses& analyses)
      : profile_(profile), rule_(rule), findings_(findings), analyses_(analyses) {}

  Planned plan(const Click& action) {
    if (const auto paused = pause(action.pause_before); !paused) return paused.error();
    const auto clicks = action.clicks.fill(findings_.variables);
    const auto interval = action.interval.fill(findings_.variables);
    if (!clicks || !interval) return clicks ? interval.error() : clicks.error();
    const auto found = find_click_target(profile_, rule_, action, findings_, analyses_);
    if (const auto* question = std::get_if<Question>(&found)) return *question;
    if (const auto* error = std::get_if<Error>(&found)) return *error;
    const auto& target = std::get<ClickTarget>(found);
    v1::Action call;
    constexpr double kDouble = 2;
    if (!target.element_id.empty() && *clicks <= kDouble) {
      v1::UiClick& click = *call.mutable_ui_click();
      click.set_element_id(target.element_id);
      if (*clicks == kDouble) click.set_double_click(true);
      if (action.button != v1::MOUSE_BUTTON_LEFT) click.set_button(action.button);
    } else {
      v1::Mouse& mouse = *call.mutable_mouse();
      mouse.set_x(target.at.x);
      mouse.set_y(target.at.y);
      mouse.set_button(action.button);
      if (*clicks > 1) mouse.set_clicks(static_cast<std::uint32_t>(*clicks));
      if (const std::uint32_t ms = milliseconds(*interval); *clicks > 1 && ms > 0) {
        mouse.set_interval_ms(std::max(ms, kMinClickInterval));
      }
    }
    return finish(std::move(call), target.words);
  }

  Planned plan(const TypeText& action) {
    if (const auto paused = pause(action.pause_before); !paused) return paused.error();
    const auto text = action.text.fill(findings_.variables);
    const auto interval = action.interval.fill(findings_.variables);
    if (!text || !interval) return text ? interval.error() : text.error();
    v1::Action call;
    call.mutable_write()->set_text(*text);
    if (const std::uint32_t ms = milliseconds(*interval); ms > 0) call.mutable_write()->set_interval_ms(ms);
    return finish(std::move(call));
  }

  Planned plan(const PressKey& action) {
    if (const auto paused = pause(action.pause_before); !paused) return paused.error();
    const auto text = action.key.text.fill(findings_.variables);
    if (!text) return text.error();
    const auto keys = split_chord(*text);
    if (!keys) return keys.error();
    v1::Action call;
    if (keys->size() == 1) {
      call.mutable_press()->set_key(keys->front());
    } else {
      for (const std::string& key : *keys) call.mutable_hotkey()->add_keys(key);
    }
    return finish(std::move(call));
  }

  Planned plan(const LogMessage& action) {
    auto text = action.message.fill(findings_.variables);
    if (!text) return text.error();
    parts_.emplace_back(LogLine{action.level, *std::move(text)});
    return std::move(parts_);
  }

  Planned plan(const PerformTask& action) {
    if (const auto paused = pause(action.pause_before); !paused) return paused.error();
    TaskCall call;
    const bool full = !action.natural_language_command.empty();
    call.planner = full ? TaskCall::Planner::kFull : TaskCall::Planner::kSuggestions;
    const TextTemplate& text = full ? action.natural_language_command : action.goal_prompt;
    auto goal = text.fill(findings_.variables);
    if (!goal) return goal.error();
    for (const std::string& path : text.paths()) {
      const auto value = find_value(findings_.variables, path);
      const bool is_captured(find_value(findings_.variables, variable_of(path) + "." + kSourceRegionKey));
      if (value && is_captured) call.captured.push_back(value_text(*value));
    }
    const auto steps = action.max_steps.fill(findings_.variables);
    if (!steps) return steps.error();
    call.goal = *std::move(goal);
    call.max_steps = static_cast<std::uint32_t>(*steps);
    call.allowed_tools = action.allowed_actions_override.names;
    call.confirm_each_step = action.require_confirmation_before_each_step;
    for (const RegionRef& region : action.context_region_names.regions) call.regions.push_back(*region.index);
    // The full planner sees the whole desktop, as for a goal.
    if (call.regions.empty() && !full && rule_.region.index) call.regions.push_back(*rule_.region.index);
    parts_.emplace_back(std::move(call));
    return std::move(parts_);
  }

 private:
  Result<void> pause(const Number& seconds) {
    ASSIGN_OR_RETURN(double left, seconds.fill(findings_.variables));
    while (left > 0) {
      v1::Action sleep;
      sleep.mutable_sleep()->set_secs(std::min(left, kMaxSleepSeconds));
      left -= kMaxSleepSeconds;
      RETURN_IF_ERROR(add(std::move(sleep), {}));
    }
    return ok();
  }

  Planned finish(v1::Action call, const std::string& target = {}) {
    if (const auto added = add(std::move(call), target); !added) return added.error();
    return std::move(parts_);
  }

  Result<void> add(v1::Action call, const std::string& target) {
    RETURN_IF_ERROR(contract::validate(call));
    v1::Step step;
    *step.mutable_action() = std::move(call);
    step.set_justification("rule " + quote_foreign(rule_.name));
    step.set_target(target);
    parts_.emplace_back(std::move(step));
    return ok();
  }

  const Profile& profile_;
  const Rule& rule_;
  const Findings& findings_;
  const Analyses& analyses_;
  PlannedParts parts_;
};

}  // namespace

std::variant<PlannedParts, Question, Error> plan_action(const Profile& profile, const Rule& rule, const Action& action,
                                                        const Findings& findings, const Analyses& analyses) {
  return std::visit([&](const auto& one) { return ActionPlanner(profile, rule, findings, analyses).plan(one); },
                    action);
}

std::string describe(const PlannedPart& part) {
  if (const auto* step = std::get_if<v1::Step>(&part)) return contract::describe(*step);
  if (const auto* line = std::get_if<LogLine>(&part)) {
    return "log " + std::string(spelling_of(line->level)) + " " + quote_foreign(line->text, kShownText);
  }
  const auto& call = std::get<TaskCall>(part);
  return std::string(call.planner == TaskCall::Planner::kFull ? "plan " : "ask a model for ") +
         quote_foreign(call.goal, kShownText);
}

}  // namespace da::planner::rules

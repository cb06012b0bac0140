#include "services/console/settings/resolved_settings.h"

#include <algorithm>
#include <array>

#include "lib/base/text.h"

namespace da::console {
namespace {

constexpr const char* kPlannerSetting = "planner";
// Mean something for one planner only.
constexpr std::array kOfPlanner = {"model", "base_url"};

// One value from several texts, which only a list has.
Result<SettingValue> value_from(const Setting& setting, const std::vector<std::string>& texts,
                                const std::string& from) {
  Result<SettingValue> value =
      setting.kind == SettingKind::kTexts ? check_value(setting, texts) : parse_value(setting, texts.back());
  if (!value) return Error{Code::kInvalidArgument, from + ": " + value.error().message};
  return value;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(';');
    if (const auto part = trim(text.substr(0, end)); !part.empty()) parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Result<std::optional<ResolvedSetting>> from_environment(const Setting& setting, const SettingInputs& inputs) {
  const std::string name = variable_of(setting);
  const auto variable = inputs.environment(name);
  if (!variable) return std::optional<ResolvedSetting>();
  const std::string from = name + (variable->file.empty() ? "" : " in " + escape_foreign(variable->file));
  const bool is_list = setting.kind == SettingKind::kTexts;
  const auto texts = is_list ? split_list(variable->value) : std::vector{variable->value};
  ASSIGN_OR_RETURN(auto value, value_from(setting, texts, from));
  return std::optional(ResolvedSetting{&setting, std::move(value), SettingSource::kEnvironment, from});
}

Result<ResolvedSetting> resolve(const Setting& setting, const SettingInputs& inputs) {
  if (const auto given = inputs.flags.find(setting.name); given != inputs.flags.end() && !given->second.empty()) {
    ASSIGN_OR_RETURN(auto value, value_from(setting, given->second, setting.flag));
    return ResolvedSetting{&setting, std::move(value), SettingSource::kFlag, setting.flag};
  }
  ASSIGN_OR_RETURN(auto variable, from_environment(setting, inputs));
  if (variable) return *std::move(variable);
  if (const auto found = inputs.file.find(setting.name); found != inputs.file.end()) {
    return ResolvedSetting{&setting, found->second, SettingSource::kFile, inputs.file_name};
  }
  return ResolvedSetting{.setting = &setting};
}

// The planner that a source names, if any.
std::optional<std::string> planner_of(SettingSource source, const SettingInputs& inputs) {
  if (source == SettingSource::kFile) {
    const auto found = inputs.file.find(kPlannerSetting);
    if (found != inputs.file.end()) return std::get<std::string>(found->second);
  } else if (source == SettingSource::kEnvironment) {
    if (const auto variable = inputs.environment(variable_of(*find_setting(kPlannerSetting)))) return variable->value;
  }
  return std::nullopt;
}

void leave_out_other_planners(ResolvedSettings& settings, const SettingInputs& inputs) {
  const auto find = [&](std::string_view name) {
    return std::ranges::find(settings, name, [](const auto& each) { return std::string_view(each.setting->name); });
  };
  const ResolvedSetting planner = *find(kPlannerSetting);
  if (!planner.value) return;
  for (const char* name : kOfPlanner) {
    ResolvedSetting& setting = *find(name);
    if (!setting.value || setting.source >= planner.source) continue;
    const auto other = planner_of(setting.source, inputs);
    if (other && *other != std::get<std::string>(*planner.value)) setting = {.setting = setting.setting};
  }
}

}  // namespace

Result<ResolvedSettings> resolve_settings(const SettingInputs& inputs) {
  ResolvedSettings settings;
  for (const Setting& setting : all_settings()) {
    ASSIGN_OR_RETURN(auto resolved, resolve(setting, inputs));
    settings.push_back(std::move(resolved));
  }
  leave_out_other_planners(settings, inputs);
  return settings;
}

const char* word_of(SettingSource source) {
  switch (source) {
    case SettingSource::kFile: return "file";
    case SettingSource::kEnvironment: return "environment";
    case SettingSource::kFlag: return "flag";
    case SettingSource::kDefault: break;
  }
  return "default";
}

}  // namespace da::console

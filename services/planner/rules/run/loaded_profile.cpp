#include "services/planner/rules/run/loaded_profile.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/contract/profile_goal.h"
#include "services/planner/rules/profile/profile_file.h"
#include "services/planner/rules/profile/profile_reader.h"

namespace da::planner::rules {
namespace {

constexpr std::size_t kMaxVariableBytes = 64 << 10;

Error invalid(std::string problem) { return {Code::kInvalidArgument, std::move(problem)}; }

const std::string* find_file(const v1::ProfileRun& run, const std::string& filename) {
  const auto found = std::ranges::find(run.templates(), filename, &v1::ProfileRun::TemplateFile::filename);
  return found == run.templates().end() ? nullptr : &found->content();
}

std::optional<std::string> check_file(const v1::ProfileRun& run, const std::string& filename) {
  const std::string* content = find_file(run, filename);
  if (content == nullptr) return "the folder templates/ beside the profile has no such file";
  if (content->size() > kMaxTemplateBytes) {
    return "the template's file has " + std::to_string(content->size()) + " bytes; at most " +
           std::to_string(kMaxTemplateBytes) + " are read";
  }
  if (!is_picture(*content)) return "the template's file is neither a PNG nor a JPEG file";
  return std::nullopt;
}

Result<void> check_size(const v1::ProfileRun& run) {
  std::size_t bytes = run.text().size();
  for (const auto& file : run.templates()) bytes += file.filename().size() + file.content().size();
  if (bytes <= contract::kMaxProfileBytes) return ok();
  return invalid("the profile and its templates have " + std::to_string(bytes) + " bytes; at most " +
                 std::to_string(contract::kMaxProfileBytes) + " can be run");
}

Result<Variables> variables_of(const v1::ProfileRun& run) {
  Variables variables;
  for (const auto& [name, value] : run.variables()) {
    if (!is_variable_name(name)) {
      return invalid("the variable " + quote_foreign(name, 60) +
                     " cannot be used in a profile: a name has letters, digits and _");
    }
    if (value.size() > kMaxVariableBytes) return invalid("the value of " + quote_foreign(name, 60) + " is too long");
    variables.emplace(name, value);
  }
  return variables;
}

// Short enough for an error of a call.
std::string first_of(const std::vector<std::string>& errors) {
  constexpr std::size_t kShown = 10;
  if (errors.empty()) return "the profile cannot be read";
  std::string text;
  for (std::size_t i = 0; i < std::min(errors.size(), kShown); ++i) text += (i == 0 ? "" : "\n") + errors[i];
  if (errors.size() > kShown) {
    text += "\nand " + std::to_string(errors.size() - kShown) + " more; `da-console profile check` lists them";
  }
  return text;
}

Result<LoadedProfile> read(const v1::ProfileRun& run, const CheckFile& check_file) {
  LoadedProfile loaded;
  loaded.text = run.text();
  loaded.once = run.once();
  loaded.pictures = !run.without_pictures();
  loaded.run_for = Milliseconds(run.for_ms());
  ASSIGN_OR_RETURN(loaded.variables, variables_of(run));
  ReadOptions options;
  options.unknown_keys = run.strict() ? UnknownKeys::kRefuse : UnknownKeys::kWarn;
  for (const auto& [name, value] : loaded.variables) options.variables.insert(name);
  options.check_file = check_file;
  ReadProfile read = read_profile(run.text(), options);
  std::vector<std::string> errors;
  for (const Problem& problem : read.problems) {
    auto& texts = problem.severity == Severity::kWarning ? loaded.warnings : errors;
    texts.push_back(problem_text(run.name(), problem));
  }
  if (!read.profile) return invalid(first_of(errors));
  loaded.profile = *std::move(read.profile);
  return loaded;
}

}  // namespace

Result<LoadedProfile> load(const v1::ProfileRun& run) {
  RETURN_IF_ERROR(check_size(run));
  ASSIGN_OR_RETURN(auto loaded, read(run, [&](const std::string& filename) { return check_file(run, filename); }));
  for (const Template& image : loaded.profile.templates) {
    const std::string* content = find_file(run, image.filename);
    if (content == nullptr) return invalid("the template " + quote_foreign(image.filename, 100) + " was not sent");
    loaded.images.push_back({template_digest(*content), *content});
  }
  return loaded;
}

Result<LoadedProfile> load_recorded(const v1::ProfileRun& run) {
  ASSIGN_OR_RETURN(auto loaded, read(run, {}));
  for (const Template& image : loaded.profile.templates) {
    const auto found = std::ranges::find(run.templates(), image.filename, &v1::ProfileRun::TemplateFile::filename);
    loaded.images.push_back({found == run.templates().end() ? "" : found->digest(), {}});
  }
  return loaded;
}

}  // namespace da::planner::rules

#include "services/console/profile_files.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/contract/json/strict_json.h"
#include "lib/contract/profile_goal.h"
#include "lib/os/files/files.h"

namespace da::console {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxTemplates = 10'000;

using Json = nlohmann::ordered_json;

// Named files, wherever they stand. The depth of the document is bounded.
void collect_names(const Json& value, std::set<std::string>& names) {
  if (value.is_array()) {
    for (const Json& one : value) collect_names(one, names);
  }
  if (!value.is_object()) return;
  for (const auto& [key, member] : value.items()) {
    const bool names_file = (key == "filename" || key == "template_filename") && member.is_string();
    if (names_file && names.size() < kMaxTemplates) names.insert(member.get<std::string>());
    collect_names(member, names);
  }
}

// Missing, or no name of a file in the folder.
bool is_left_out(Code code) { return code == Code::kNotFound || code == Code::kInvalidArgument; }

Error too_large(const std::filesystem::path& profile) {
  return {Code::kInvalidArgument, text_of(profile) + " and its templates have more than " +
                                      std::to_string(contract::kMaxProfileBytes) +
                                      " bytes, which is all that can be run"};
}

}  // namespace

Result<v1::ProfileRun> read_profile_files(const std::filesystem::path& profile) {
  auto text = os::read_file(profile, contract::kMaxProfileBytes);
  if (!text) return Error{Code::kInvalidArgument, text.error().message};
  v1::ProfileRun run;
  run.set_name(text_of(profile.filename()));
  run.set_text(*text);
  const auto document = contract::read_json_document(
      *text, {.bytes = contract::kMaxProfileBytes, .depth = kMaxDepth, .keys = contract::kMaxProfileBytes});
  if (!document) return run;  // The planner's error has the reason.
  std::set<std::string> names;
  collect_names(*document, names);
  const std::filesystem::path templates = "templates";
  std::size_t bytes = text->size();
  for (const std::string& name : names) {
    auto content = os::read_file_below(profile.parent_path(), templates / path_of(name), contract::kMaxProfileBytes);
    if (!content && is_left_out(content.error().code)) continue;
    if (!content) return Error{Code::kInvalidArgument, content.error().message};
    bytes += name.size() + content->size();
    if (bytes > contract::kMaxProfileBytes) return too_large(profile);
    auto& file = *run.add_templates();
    file.set_filename(name);
    file.set_content(*std::move(content));
  }
  return run;
}

}  // namespace da::console

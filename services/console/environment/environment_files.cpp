#include "services/console/environment/environment_files.h"

#include <algorithm>
#include <array>

#include "lib/base/nearest.h"
#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "services/console/environment/dotenv.h"
#include "services/console/session/service_environment.h"
#include "services/console/shell_word.h"

namespace da::console {
namespace {

constexpr const char* kFileName = ".env";
constexpr const char* kIgnore = "; --no-env-file ignores it";
constexpr const char* kAppEnvironment = "APP_ENV";
constexpr std::size_t kLongestKey = 4096;
constexpr std::size_t kMostNotes = 10;

bool is_taken(std::string_view name) { return name == kAppEnvironment || is_model_key(name); }

std::vector<std::string> taken_names() {
  std::vector<std::string> names = {kAppEnvironment};
  for (const std::string_view key : kModelKeys) names.emplace_back(key);
  return names;
}

// One word of visible ASCII without what a shell would substitute, because nothing is substituted here.
bool can_be_key(std::string_view value) {
  return value.size() <= kLongestKey && std::ranges::all_of(value, [](char c) {
           return c > ' ' && c <= '~' && c != '$' && c != '`' && c != '"' && c != '\'';
         });
}

// The entries that may take effect. kInvalidArgument: a name occurs twice, or a key does not exist.
Result<std::vector<DotenvEntry>> entries_to_take(const std::vector<DotenvEntry>& all, const std::string& path,
                                                 const std::function<bool(const std::string&)>& is_set) {
  std::vector<DotenvEntry> entries;
  for (const DotenvEntry& entry : all) {
    if (!is_taken(entry.name) || entry.value.empty() || is_set(entry.name)) continue;
    const std::string at = path + ":" + std::to_string(entry.line) + ": " + entry.name;
    const auto first = std::ranges::find(entries, entry.name, &DotenvEntry::name);
    if (first != entries.end()) {
      return Error{Code::kInvalidArgument, at + " is already set in line " + std::to_string(first->line)};
    }
    if (is_model_key(entry.name) && !can_be_key(entry.value)) {
      return Error{Code::kInvalidArgument,
                   at + " is no key: a key is one word of ASCII characters, and nothing is substituted in it"};
    }
    entries.push_back(entry);
  }
  return entries;
}

void note_probable_mistakes(const std::vector<DotenvEntry>& all, const std::string& path,
                            std::vector<std::string>& notes) {
  const std::vector<std::string> names = taken_names();
  for (const DotenvEntry& entry : all) {
    if (is_taken(entry.name) || notes.size() >= kMostNotes) continue;
    const bool is_ours = entry.name.starts_with("DA_") || entry.name.starts_with("DESKTOPASSIST_");
    const std::string suggestion = did_you_mean(entry.name, names);
    if (!is_ours && suggestion.empty()) continue;
    notes.push_back(path + ":" + std::to_string(entry.line) + ": " + quote_foreign(entry.name, 60) +
                    " is not taken from a .env file" + suggestion);
  }
}

Result<void> take_from(const std::filesystem::path& file, const std::function<bool(const std::string&)>& is_set,
                       TakenVariables& taken) {
  const std::string path = escape_foreign(text_of(file), 1000);
  ASSIGN_OR_RETURN(const bool exists, os::exists(file));
  std::error_code error;
  // A directory of this name is a virtual environment of Python.
  if (!exists || std::filesystem::symlink_status(file, error).type() == std::filesystem::file_type::directory) {
    return ok();
  }
  const auto read = os::read_file_with_rights(file, kMaxDotenvBytes);
  if (!read) return Error{read.error().code, read.error().message + kIgnore};
  const auto all = parse_dotenv(read->content, path);
  if (!all) return Error{all.error().code, all.error().message + kIgnore};
  const auto entries = entries_to_take(
      *all, path, [&](const std::string& name) { return is_set(name) || taken.variables.contains(name); });
  if (!entries) return Error{entries.error().code, entries.error().message + kIgnore};
  if (!entries->empty()) {
    const bool has_key = std::ranges::any_of(*entries, [](const auto& entry) { return is_model_key(entry.name); });
    RETURN_IF_ERROR(check_rights(read->rights, has_key, path));
  }
  for (const DotenvEntry& entry : *entries) {
    taken.variables.emplace(entry.name, Variable{entry.value, path});
    if (is_model_key(entry.name)) taken.notes.push_back(entry.name + " is from " + path);
  }
  note_probable_mistakes(*all, path, taken.notes);
  return ok();
}

}  // namespace

Result<void> check_rights(const os::FileRights& rights, bool has_key, const std::string& path) {
  const std::string word = shell_word(path);
  if (!rights.is_own) {
    return Error{Code::kPermissionDenied, path +
                                              " belongs to another user, who could change what it sets. If you trust "
                                              "its content: sudo chown \"$(id -un)\" " +
                                              word + " && chmod 600 " + word + kIgnore};
  }
  if (rights.others_may_write || (has_key && rights.others_may_read)) {
    const std::string what = has_key ? " contains a key, so that only you may read and write it: chmod 600 "
                                     : " can be written by others: chmod go-w ";
    return Error{Code::kPermissionDenied, path + what + word + kIgnore};
  }
  return ok();
}

bool is_model_key(std::string_view name) { return std::ranges::find(kModelKeys, name) != kModelKeys.end(); }

Result<TakenVariables> read_environment_files(const std::vector<std::filesystem::path>& directories,
                                              const std::function<bool(const std::string& name)>& is_set) {
  TakenVariables taken;
  std::vector<std::filesystem::path> read;
  for (const std::filesystem::path& directory : directories) {
    std::error_code error;
    const auto place = std::filesystem::weakly_canonical(directory.empty() ? "." : directory, error);
    if (error || std::ranges::find(read, place) != read.end()) continue;
    read.push_back(place);
    RETURN_IF_ERROR(take_from(place / kFileName, is_set, taken));
  }
  return taken;
}

}  // namespace da::console

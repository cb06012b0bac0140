#include "services/actuator/desktop/x11/applications/desktop_entry.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "lib/base/command_words.h"
#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"

namespace da::actuator::x11 {
namespace {

constexpr std::size_t kMaxEntryBytes = 1U << 20;

struct Entry {
  std::string name, exec, type;
  bool hidden = false;
};

std::vector<std::filesystem::path> application_directories() {
  std::vector<std::filesystem::path> found;
  const char* home = std::getenv("XDG_DATA_HOME");
  if (home != nullptr && *home != '\0')
    found.emplace_back(std::filesystem::path(home) / "applications");
  else if (const char* user = std::getenv("HOME"); user != nullptr)
    found.emplace_back(std::filesystem::path(user) / ".local/share/applications");
  const char* variable = std::getenv("XDG_DATA_DIRS");
  std::string_view dirs = variable != nullptr && *variable != '\0' ? variable : "/usr/local/share:/usr/share";
  while (!dirs.empty()) {
    const auto end = std::min(dirs.find(':'), dirs.size());
    if (end > 0) found.emplace_back(std::filesystem::path(dirs.substr(0, end)) / "applications");
    dirs.remove_prefix(std::min(end + 1, dirs.size()));
  }
  return found;
}

Entry parse_entry(std::string_view text) {
  Entry entry;
  bool in_main_group = false;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('[')) in_main_group = line == "[Desktop Entry]";
    const auto equals = line.find('=');
    if (!in_main_group || equals == std::string_view::npos) continue;
    const auto key = trim(line.substr(0, equals));
    const auto value = trim(line.substr(equals + 1));
    if (key == "Name")
      entry.name = value;
    else if (key == "Exec")
      entry.exec = value;
    else if (key == "Type")
      entry.type = value;
    else if (key == "Hidden")
      entry.hidden = value == "true";
  }
  return entry;
}

enum class Visit { kNext, kStop };

// Calls `visit` with the file name (without .desktop) and the entry of each application, in the order of precedence.
void visit_applications(const std::function<Visit(std::string, Entry)>& visit) {
  for (const auto& directory : application_directories()) {
    std::error_code failed;
    for (std::filesystem::directory_iterator file(directory, failed), end; !failed && file != end;
         file.increment(failed)) {
      if (file->path().extension() != ".desktop") continue;
      const auto text = os::read_file(file->path(), kMaxEntryBytes);
      if (!text) continue;
      Entry entry = parse_entry(*text);
      if (entry.hidden || entry.type != "Application") continue;
      if (visit(file->path().stem().string(), std::move(entry)) == Visit::kStop) return;
    }
  }
}

}  // namespace

std::vector<std::string> words_of_exec(std::string_view exec) {
  auto words = split_words(exec);
  if (!words) return {};
  std::vector<std::string> kept;
  for (const std::string& word : *words) {
    if (word.size() == 2 && word[0] == '%' && word[1] != '%') continue;
    std::string plain;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (word[i] == '%' && i + 1 < word.size()) {
        if (word[i + 1] == '%') plain += '%';
        ++i;
      } else {
        plain += word[i];
      }
    }
    kept.push_back(std::move(plain));
  }
  return kept;
}

std::vector<std::string> desktop_entry_names() {
  std::vector<std::string> names;
  visit_applications([&](std::string file_name, Entry entry) {
    names.push_back(std::move(file_name));
    if (!entry.name.empty()) names.push_back(std::move(entry.name));
    return Visit::kNext;
  });
  return names;
}

std::optional<std::vector<std::string>> command_of_desktop_entry(std::string_view name) {
  const std::string wanted = comparable_name(name);
  std::optional<std::vector<std::string>> found;  // By Name, until an entry with this file name comes.
  visit_applications([&](const std::string& file_name, const Entry& entry) {
    const bool same_file = comparable_name(file_name) == wanted;
    if (!same_file && (found || comparable_name(entry.name) != wanted)) return Visit::kNext;
    auto words = words_of_exec(entry.exec);
    if (words.empty()) return Visit::kNext;
    found = std::move(words);
    return same_file ? Visit::kStop : Visit::kNext;
  });
  return found;
}

}  // namespace da::actuator::x11

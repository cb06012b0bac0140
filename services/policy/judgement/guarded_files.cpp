#include "services/policy/judgement/guarded_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <vector>

namespace da::policy {
namespace {

constexpr std::array<std::string_view, 3> kFiles = {".env", "accepted-rules", "proposed-rules.toml"};
constexpr std::string_view kFolder = "desktopassist";
constexpr std::array<std::string_view, 2> kFolders = {"desktopassist/", "desktopassist\\"};
// These are parts of whole paths, which open files have: a folder of the user's own may be called DesktopAssist.
constexpr std::array<std::string_view, 8> kFoldersInPaths = {"/.config/desktopassist/",
                                                             "/.local/state/desktopassist/",
                                                             "/desktopassist/run-",
                                                             "/tmp/desktopassist-",
                                                             "/etc/desktopassist/",
                                                             "/var/lib/desktopassist",
                                                             "\\appdata\\local\\desktopassist\\",
                                                             "\\appdata\\roaming\\desktopassist\\"};

char in_lower_case(char character) {
  return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

bool is_part_of_name(char character) {
  const char lower = in_lower_case(character);
  return (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') || character == '_' || character == '-';
}

// Finds only whole words: "policy.toml" is not in "my-policy.toml" nor in "policy.toml5".
bool has_word(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    const bool begins = at == 0 || !is_part_of_name(text[at - 1]);
    const bool ends = end == text.size() || !is_part_of_name(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char character) { return in_lower_case(character); });
  return lower;
}

std::optional<std::string> guarded_file_in(std::string_view shown, const std::string& rule_file,
                                           std::span<const std::string_view> folders) {
  const std::string text = in_lower_case(shown);
  if (!rule_file.empty() && has_word(text, rule_file)) return rule_file;
  for (const std::string_view name : kFiles) {
    if (has_word(text, name)) return std::string(name);
  }
  for (const std::string_view folder : folders) {
    if (text.find(folder) != std::string::npos) return std::string(folder);
  }
  return std::nullopt;
}

// A path that ends with the folder: "~/.config/desktopassist".
bool ends_with_folder(std::string_view shown) {
  const std::string text = in_lower_case(shown);
  for (auto at = text.find(kFolder); at != std::string::npos; at = text.find(kFolder, at + 1)) {
    const auto end = at + kFolder.size();
    const bool is_in_path = at > 0 && (text[at - 1] == '/' || text[at - 1] == '\\');
    if (is_in_path && (end == text.size() || !is_part_of_name(text[end]))) return true;
  }
  return false;
}

// A file manager shows the name of a folder alone, as an entry, or at the begin of its title. The capital letters tell
// other titles from it, so that readings of a text, which have none, do not count.
bool is_folder_shown(const Subject& subject) {
  const auto is_entry = [](const std::string& name) { return name == kFolder; };
  const auto begins = [](const std::string& title) {
    return title.starts_with(kFolder) && (title.size() == kFolder.size() || title[kFolder.size()] == ' ');
  };
  return (subject.element && std::ranges::any_of(subject.element->actual, is_entry)) ||
         (subject.window && std::ranges::any_of(subject.window->actual, begins));
}

}  // namespace

std::optional<std::string> guarded_file_of(const Subject& subject, const v1::Evidence* evidence,
                                           std::string_view rule_file) {
  const std::string name = in_lower_case(std::string_view(std::filesystem::path(rule_file).filename().string()));
  for (const auto* facet : {&subject.window, &subject.command, &subject.path, &subject.text}) {
    if (!*facet) continue;
    for (const auto* texts : {&(*facet)->actual, &(*facet)->mentioned}) {
      for (const std::string& text : *texts) {
        if (auto found = guarded_file_in(text, name, kFolders)) return found;
        if (facet != &subject.window && ends_with_folder(text)) return std::string(kFolder);
      }
    }
  }
  if (is_folder_shown(subject)) return std::string(kFolder);
  if (evidence == nullptr) return std::nullopt;
  for (const std::string& file : evidence->open_files()) {
    if (auto found = guarded_file_in(file, name, kFoldersInPaths)) return found;
  }
  return std::nullopt;
}

}  // namespace da::policy

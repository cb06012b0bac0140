#include "services/actuator/desktop/x11/applications/open_files.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "services/actuator/desktop/roles/applications.h"
#include "services/actuator/desktop/x11/applications/posix_process.h"

namespace da::actuator::x11 {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOfTheSystem = "/usr/";

// A terminal or a panel may have started the console of this very run, which names its rule file.
bool is_our_own(std::uint32_t pid) {
  static const fs::path programs = fs::path(executable_of(static_cast<std::uint32_t>(::getpid()))).parent_path();
  const fs::path program = executable_of(pid);
  const auto& ancestors = own_ancestors();
  if (std::ranges::find(ancestors, pid) != ancestors.end()) return true;  // Such as a shell.
  return program.parent_path() == programs && program.filename().string().starts_with("da-");
}

class OpenFiles {
 public:
  void add_arguments_of(std::uint32_t pid) {
    const fs::path process = "/proc/" + std::to_string(pid);
    std::error_code failed;
    const fs::path folder = fs::read_symlink(process / "cwd", failed);
    const std::string line = content_of(process / "cmdline");
    std::string_view words = line;
    bool is_program = true;
    while (!words.empty()) {
      const std::string_view word = words.substr(0, words.find('\0'));
      words.remove_prefix(std::min(word.size() + 1, words.size()));
      if (!is_program) add_argument(folder, word);
      is_program = false;
    }
  }

  void add_held_by(std::uint32_t pid) {
    std::error_code failed;
    fs::directory_iterator entry("/proc/" + std::to_string(pid) + "/fd", failed);
    for (const fs::directory_iterator end; !failed && entry != end; entry.increment(failed)) {
      const std::string number = entry->path().filename().string();
      if (number == "0" || number == "1" || number == "2") continue;
      // The link's own permissions tell how the file was opened (proc(5)).
      std::error_code closed;
      const auto opened = fs::symlink_status(entry->path(), closed).permissions();
      if (closed || (opened & fs::perms::owner_write) == fs::perms::none) continue;
      const fs::path file = fs::read_symlink(entry->path(), closed);
      if (!closed && fs::is_regular_file(entry->path(), closed)) add(file.string());
    }
  }

  std::vector<std::string> take() { return std::move(files_); }

 private:
  // Also `--file=PATH`.
  void add_argument(const fs::path& folder, std::string_view word) {
    const auto equals = word.find('=');
    if (word.starts_with('-') && equals == std::string_view::npos) return;
    if (word.starts_with('-')) word.remove_prefix(equals + 1);
    if (word.empty()) return;
    std::error_code failed;
    const fs::path file = fs::canonical(folder / word, failed);
    if (failed) return;
    if (fs::is_regular_file(file, failed)) add(file.string());
    if (fs::is_directory(file, failed)) add(file.string() + "/");
  }

  void add(std::string file) {
    const bool known = std::ranges::find(files_, file) != files_.end();
    if (known || files_.size() >= kMostOpenFiles || file.starts_with(kOfTheSystem)) return;
    files_.push_back(std::move(file));
  }

  std::vector<std::string> files_;
};

}  // namespace

std::vector<std::string> open_files_of(std::uint32_t pid, const std::set<std::uint32_t>& others) {
  OpenFiles files;
  if (pid == 0) return {};
  auto family = family_of(pid, others);
  std::erase_if(family, is_our_own);
  for (const std::uint32_t member : family) files.add_arguments_of(member);
  for (const std::uint32_t member : family) files.add_held_by(member);
  return files.take();
}

}  // namespace da::actuator::x11

#include "services/console/profiles/edit.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <optional>

#include "lib/base/id.h"
#include "lib/base/path_text.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "lib/os/files/replace_file.h"
#include "services/console/exit_codes.h"
#include "services/console/profiles/added_text.h"
#include "services/console/profiles/ask.h"
#include "services/console/profiles/editor.h"
#include "services/console/profiles/service_programs.h"
#include "services/console/shell_word.h"

namespace da::console {
namespace {

constexpr std::size_t kMaxProfileFileBytes = 16 << 20;
constexpr int kMaxNewProfiles = 1000;

// Follows the new profile of Mark-I's editor. JSON has no comments, so the description names the documentation.
constexpr const char* kNewProfile = R"json({
    "profile_description": "New profile (docs/PROFILES.md describes the format)",
    "settings": {
        "monitoring_interval_seconds": 1.0,
        "analysis_dominant_colors_k": 3,
        "tesseract_cmd_path": null,
        "tesseract_config_custom": "",
        "gemini_default_model_name": "gemini-1.5-flash-latest"
    },
    "regions": [],
    "templates": [],
    "rules": []
}
)json";

Result<std::filesystem::path> new_profile_path() {
  const auto directory = new_profile_directory();
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return Error{Code::kFailedPrecondition, "create " + text_of(directory) + ": " + error.message()};
  for (int i = 1; i <= kMaxNewProfiles; ++i) {
    const auto path = directory / ("profile" + (i == 1 ? std::string() : "-" + std::to_string(i)) + ".json");
    ASSIGN_OR_RETURN(const bool taken, os::exists(path));
    if (!taken) return path;
  }
  return Error{Code::kAlreadyExists, text_of(directory) + " is full: give the new profile a name"};
}

// The text that the editor begins with. `before` is what the profile has now; unset: it does not exist.
struct Start {
  std::filesystem::path profile;
  std::optional<std::string> before;
};

Result<Start> start_of(const std::filesystem::path& given) {
  if (given.empty()) {
    ASSIGN_OR_RETURN(auto path, new_profile_path());
    return Start{std::move(path), std::nullopt};
  }
  std::error_code error;
  if (std::filesystem::exists(given, error)) {
    ASSIGN_OR_RETURN(auto text, os::read_file(given, kMaxProfileFileBytes));
    return Start{given, std::move(text)};
  }
  if (given.extension() != ".json") {
    return Error{Code::kInvalidArgument, "there is no profile " + quote_foreign(text_of(given)) +
                                             "; a new one must end with .json (to edit a pending step, give its id and "
                                             "--args)"};
  }
  return Start{given, std::nullopt};
}

// The copy that the editor changes. It is removed at the end unless it was kept.
class Draft {
 public:
  static Result<Draft> create(const std::filesystem::path& profile, const std::string& text) {
    // Hidden, and beside the profile, so that the check finds its templates.
    const std::string name = "." + text_of(profile.stem()) + ".edit-" + random_hex(3) + ".json";
    const auto path = std::filesystem::absolute(profile).parent_path() / path_of(name);
    RETURN_IF_ERROR(os::write_private_file(path, text));
    return Draft(path);
  }
  Draft(Draft&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Draft& operator=(Draft&&) = delete;
  ~Draft() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  Result<std::string> text() const { return os::read_file(path_, kMaxProfileFileBytes); }
  // The person's work stays.
  int keep(ExitCode exit_code) {
    std::cerr << "da-console: what you wrote is in " << escape_foreign(text_of(path_)) << std::endl;
    path_.clear();
    return exit_code;
  }

 private:
  explicit Draft(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

class Editing {
 public:
  Editing(Start start, Draft draft, std::vector<std::string> editor)
      : start_(std::move(start)),
        shown_(escape_foreign(text_of(start_.profile), 300)),
        draft_(std::move(draft)),
        editor_(std::move(editor)) {}

  int run() {
    const std::string opened = draft_.text().value_or("");
    while (true) {
      const auto edited = run_editor(editor_, draft_.path());
      const auto text = draft_.text();
      if (!text) return report(text.error());
      const bool is_changed = *text != opened;
      if (!edited) return is_changed ? draft_.keep(report(edited.error())) : report(edited.error());
      if (!is_changed) {
        std::cerr << shown_
                  << (start_.before ? " is not changed" : " is not made, because nothing was changed in the editor")
                  << "; if your editor returned at once, give it its flag to wait, such as EDITOR='code --wait'"
                  << std::endl;
        return kDone;
      }
      const auto check = check_profile(draft_.path(), text_of(start_.profile));
      if (!check) return draft_.keep(report(check.error()));
      for (const std::string& problem : check->problems) std::cerr << problem << "\n";
      if (!check->has_errors) return save(*text);
      switch (ask()) {
        case Choice::kAgain: continue;
        case Choice::kSave: return save(*text);
        case Choice::kDiscard: std::cerr << shown_ << " is not changed" << std::endl; return kTaskFailed;
        case Choice::kNone: return draft_.keep(kTaskFailed);
      }
    }
  }

 private:
  enum class Choice { kAgain, kSave, kDiscard, kNone };

  Choice ask() const {
    while (true) {
      const auto answer = ask_person("The profile has errors. [e]dit again, [s]ave it all the same, [d]iscard? [e] ");
      if (!answer) {
        std::cerr << "da-console: the profile has errors, so " << shown_ << " is not changed" << std::endl;
        return Choice::kNone;
      }
      const std::string word = fold_case(trim(*answer));
      if (word.empty() || word == "e" || word == "edit") return Choice::kAgain;
      if (word == "s" || word == "save") return Choice::kSave;
      if (word == "d" || word == "discard") return Choice::kDiscard;
    }
  }

  int save(const std::string& text) {
    ASSIGN_OR_REPORT(const bool is_there, os::exists(start_.profile));
    if (is_there != start_.before.has_value() ||
        (is_there && os::read_file(start_.profile).value_or("") != *start_.before)) {
      std::cerr << "da-console: another program has changed " << shown_ << " meanwhile, so it is not replaced\n";
      return draft_.keep(kTaskFailed);
    }
    if (const auto saved = os::replace_file(start_.profile, text); !saved) return draft_.keep(report(saved.error()));
    const std::string word = shell_word(text_of(start_.profile));
    std::cout << "saved " << shown_ << "\ntry it: da-console profile explain " << word << "\n        da-console run "
              << word << " --dry-run" << std::endl;
    return kDone;
  }

  const Start start_;
  const std::string shown_;
  Draft draft_;
  const std::vector<std::string> editor_;
};

}  // namespace

std::filesystem::path new_profile_directory() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && config[0] == '/') return std::filesystem::path(config) / "desktopassist/profiles";
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home != nullptr ? home : ".") / ".config/desktopassist/profiles";
}

int edit_profile(const std::filesystem::path& profile) {
  ASSIGN_OR_REPORT(auto editor, editor_command());
  ASSIGN_OR_REPORT(auto start, start_of(profile));
  ASSIGN_OR_REPORT(auto draft, Draft::create(start.profile, start.before.value_or(kNewProfile)));
  return Editing(std::move(start), std::move(draft), std::move(editor)).run();
}

}  // namespace da::console

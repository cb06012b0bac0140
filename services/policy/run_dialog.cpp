#include "services/policy/run_dialog.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "lib/base/text.h"
#include "lib/contract/keys.h"
#include "services/policy/subject.h"
#include "services/policy/typing_history.h"

namespace da::policy {
namespace {

// Start menus, run dialogs and launchers of Windows and of common X11 desktops.
constexpr std::array<std::string_view, 9> kRunDialogChords = {"win+r",    "alt+f2", "win",    "win+s",    "win+q",
                                                              "ctrl+esc", "alt+f1", "alt+f3", "alt+space"};
constexpr std::size_t kMaxCommandBytes = 4'000;

bool opens(const std::string& chord) { return std::ranges::find(kRunDialogChords, chord) != kRunDialogChords.end(); }

bool opens(const Facet& chords) {
  const auto one_of_them = [](const std::string& chord) { return opens(chord); };
  return std::ranges::any_of(chords.actual, one_of_them) || std::ranges::any_of(chords.mentioned, one_of_them);
}

class Follower {
 public:
  explicit Follower(RunDialog& dialog) : dialog_(dialog) {}

  void open() {
    dialog_.open = true;
    dialog_.command.clear();
    left_ = false;
  }

  void type(std::string_view typed) {
    if (!dialog_.open) return;
    for (const char c : typed) {
      if (c == '\n' || c == '\r') {
        start();
      } else {
        dialog_.command += c;
      }
    }
    if (dialog_.command.size() > kMaxCommandBytes) {
      dialog_.command.erase(0, dialog_.command.size() - kMaxCommandBytes);
    }
    typed_ = typed_ || !typed.empty();
  }

  void start() {
    if (!dialog_.open) return;
    commands_.push_back({text(), true});
    dialog_.command.clear();
    left_ = true;
  }

  void escape() {
    note_what_stands_there();
    dialog_ = {};
  }

  std::vector<TypedCommand> end() {
    note_what_stands_there();
    if (left_) dialog_ = {};
    return std::move(commands_);
  }

 private:
  std::string text() const { return std::string(trim(without_erased(dialog_.command))); }
  void note_what_stands_there() {
    if (dialog_.open && typed_ && !dialog_.command.empty()) commands_.push_back({text(), false});
    typed_ = false;
  }

  RunDialog& dialog_;
  std::vector<TypedCommand> commands_;
  bool typed_ = false;  // Since the last command was noted.
  bool left_ = false;
};

void follow_hotkey(Follower& follower, const v1::Action& action) {
  const auto subject = subject_of("hotkey", action, nullptr);
  if (subject && subject->chord && opens(*subject->chord)) return follower.open();
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(action.hotkey().keys(),
                               [&](const std::string& key) { return contract::canonical_key(key) == name; });
  };
  if (has("enter")) return follower.start();
  if (has("esc")) return follower.escape();
  follower.type(typed_by(action));
}

// Modifiers that are tapped before a key hold for it where the desktop's sticky keys are on.
void follow_press(Follower& follower, const v1::Press& press) {
  std::vector<std::string> keys(press.keys().begin(), press.keys().end());
  if (press.has_key()) keys.push_back(press.key());
  std::vector<std::string> run;
  for (const std::string& key : keys) {
    const auto name = contract::canonical_key(key);
    if (!name) continue;
    run.push_back(*name);
    const auto held = normalised_chord(run);
    if (!contract::is_modifier(*name)) run.clear();
    if (opens(*name) || (held && opens(*held))) {
      follower.open();
    } else if (*name == "esc") {
      follower.escape();
    } else {
      v1::Action one;
      one.mutable_press()->set_key(key);
      follower.type(typed_by(one));
    }
  }
}

}  // namespace

std::vector<TypedCommand> follow(RunDialog& dialog, const v1::Action& action) {
  Follower follower(dialog);
  if (action.has_hotkey()) {
    follow_hotkey(follower, action);
  } else if (action.has_press()) {
    follow_press(follower, action.press());
  } else {
    follower.type(typed_by(action));
  }
  return follower.end();
}

}  // namespace da::policy

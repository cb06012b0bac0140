#include "services/policy/judgement/run_dialog.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "lib/base/text.h"
#include "lib/contract/keys.h"
#include "services/policy/judgement/caret_model.h"
#include "services/policy/judgement/chords.h"

namespace da::policy {
namespace {

// Start menus, run dialogs and launchers of Windows and of common X11 desktops.
constexpr std::array<std::string_view, 9> kRunDialogChords = {"win+r",    "alt+f2", "win",    "win+s",    "win+q",
                                                              "ctrl+esc", "alt+f1", "alt+f3", "alt+space"};
constexpr std::size_t kMaxCommandBytes = 4'000;

bool opens_dialog(const std::string& chord) {
  return std::ranges::find(kRunDialogChords, chord) != kRunDialogChords.end();
}

class DialogFollower {
 public:
  explicit DialogFollower(RunDialog& dialog) : dialog_(dialog) {}

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
    note_unstarted();
    dialog_ = {};
  }

  std::vector<TypedCommand> end() {
    note_unstarted();
    if (left_) dialog_ = {};
    return std::move(commands_);
  }

 private:
  std::string text() const { return std::string(trim(without_erased(dialog_.command))); }
  void note_unstarted() {
    if (dialog_.open && typed_ && !dialog_.command.empty()) commands_.push_back({text(), false});
    typed_ = false;
  }

  RunDialog& dialog_;
  std::vector<TypedCommand> commands_;
  bool typed_ = false;  // Something was typed since the last command was noted.
  bool left_ = false;
};

void follow_hotkey(DialogFollower& follower, const v1::Action& action) {
  const std::vector<std::string> keys(action.hotkey().keys().begin(), action.hotkey().keys().end());
  const auto chords = hotkey_chords(keys);
  if (chords && std::ranges::any_of(*chords, opens_dialog)) return follower.open();
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(keys, [&](const std::string& key) { return contract::canonical_key(key) == name; });
  };
  if (has("enter")) return follower.start();
  if (has("esc")) return follower.escape();
  follower.type(typed_by(action));
}

// With sticky keys, modifiers that are tapped before a key apply to it.
void follow_press(DialogFollower& follower, const v1::Press& press) {
  std::vector<std::string> keys(press.keys().begin(), press.keys().end());
  if (press.has_key()) keys.push_back(press.key());
  std::vector<std::string> run;
  for (const std::string& key : keys) {
    const auto name = contract::canonical_key(key);
    if (!name) continue;
    run.push_back(*name);
    const auto held = normalised_chord(run);
    if (!contract::is_modifier(*name)) run.clear();
    if (opens_dialog(*name) || (held && opens_dialog(*held))) {
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
  DialogFollower follower(dialog);
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

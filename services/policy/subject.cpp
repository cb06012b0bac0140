#include "services/policy/subject.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/keys.h"
#include "services/policy/element_states.h"
#include "services/policy/field_text.h"
#include "services/policy/look_alikes.h"

namespace da::policy {
namespace {

constexpr std::array<std::string_view, 5> kModifierOrder = {"ctrl", "alt", "altgr", "shift", "win"};

std::size_t rank(const std::string& key) {
  return static_cast<std::size_t>(std::ranges::find(kModifierOrder, key) - kModifierOrder.begin());
}

Facet one(std::string value) { return {{std::move(value)}, {}}; }

std::vector<std::string> keys_of(const v1::Press& press) {
  if (press.has_key()) return {press.key()};
  return {press.keys().begin(), press.keys().end()};
}

// Keys tapped in turn are chords of one key each. Where the desktop's sticky keys are on, modifiers tapped before a key
// hold for it; so such a run counts as mentioned.
Result<Facet> taps(const std::vector<std::string>& keys) {
  Facet facet;
  std::vector<std::string> run;
  for (const std::string& key : keys) {
    ASSIGN_OR_RETURN(const std::string chord, normalised_chord(std::span(&key, 1)));
    facet.actual.push_back(chord);
    run.push_back(chord);
    if (contract::is_modifier(chord)) continue;
    if (run.size() > 1) {
      ASSIGN_OR_RETURN(auto held, normalised_chord(run));
      facet.mentioned.push_back(std::move(held));
    }
    run.clear();
  }
  return facet;
}

Result<std::string> chord_of(std::vector<std::string> held, const std::string& key) {
  held.push_back(key);
  return normalised_chord(held);
}

// The desktop acts when a key goes down, on what is held by then: alt+f2+pause is alt+f2 to it, and so is alt+f2+shift.
// So each key counts as mentioned with the modifiers before it and with all of them. A character may be typed with a
// shift of its own ("?"), which is then held for the keys after it.
Result<Facet> chord(const std::vector<std::string>& keys) {
  ASSIGN_OR_RETURN(auto whole, normalised_chord(keys));
  Facet facet = one(std::move(whole));
  std::vector<std::string> modifiers;
  std::vector<std::pair<std::string, std::vector<std::string>>> taps;  // Each other key, and what is held before it.
  for (const std::string& key : keys) {
    ASSIGN_OR_RETURN(const std::string name, normalised_chord(std::span(&key, 1)));
    if (contract::is_modifier(name))
      modifiers.push_back(name);
    else
      taps.emplace_back(name, modifiers);
  }
  for (auto& [key, before] : taps) {
    for (std::vector<std::string> held : {before, modifiers}) {
      ASSIGN_OR_RETURN(facet.mentioned.emplace_back(), chord_of(held, key));
      if (taps.size() < 2) continue;
      held.emplace_back("shift");
      ASSIGN_OR_RETURN(facet.mentioned.emplace_back(), chord_of(held, key));
    }
  }
  return facet;
}

std::string joined(const google::protobuf::RepeatedPtrField<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

void describe_launch(const v1::Launch& launch, const v1::Evidence* evidence, Subject& subject) {
  subject.command = Facet{{evidence == nullptr ? "" : joined(evidence->argv())}, {launch.command()}};
  subject.path = one(evidence == nullptr ? "" : evidence->canonical_path());
  Facet program;
  if (evidence != nullptr && !evidence->canonical_path().empty()) {
    program.actual.push_back(base_name(evidence->canonical_path()));
  }
  if (evidence != nullptr && !evidence->argv().empty()) {
    program.actual.push_back(base_name(evidence->argv(0)));
    for (const std::string& word : evidence->argv()) program.mentioned.push_back(base_name(word));
  }
  if (program.actual.empty()) program.actual.emplace_back();
  std::string_view rest = launch.command();
  const auto end = rest.find_first_of(" \t\n");
  program.mentioned.push_back(base_name(std::string(rest.substr(0, end))));
  subject.process = std::move(program);
  subject.window.reset();
}

// "_Delete" and "delete_all": programs name elements with underlines, which \b takes for letters.
void mention_words(std::string name, Facet& element) {
  if (name.find('_') == std::string::npos) return;
  std::ranges::replace(name, '_', ' ');
  element.mentioned.push_back(std::move(name));
}

void describe_place(const v1::Action& action, const v1::Evidence& evidence, Subject& subject) {
  const v1::Window* window = subject_window(action, evidence);
  subject.window = one(window == nullptr ? "" : window->title());
  subject.process = one(window == nullptr ? "" : base_name(window->executable()));
  if (action.has_ui_click() && window == nullptr && evidence.has_foreground()) {
    subject.window->mentioned.push_back(evidence.foreground().title());
    subject.process->mentioned.push_back(base_name(evidence.foreground().executable()));
  }
  if (action.has_app_terminate() && action.app_terminate().has_process()) {
    subject.process->mentioned.push_back(base_name(action.app_terminate().process()));
  }
  if (!is_keyboard_tool(action) && !is_pointer_tool(action) && !action.has_ui_click()) return;
  const v1::UiNode* element = subject_element(action, evidence);
  subject.element = one(element == nullptr ? "" : element->name());
  if (element != nullptr) mention_words(element->name(), *subject.element);
  subject.role = one(element == nullptr ? "" : element->role());
  const bool unread = is_keyboard_tool(action) ? evidence.focus_unread() : evidence.target_unread();
  if (unread) subject.element_states.insert(kUnread);
  if (element == nullptr) return;
  for (const int state : element->states()) subject.element_states.insert(static_cast<v1::UiState>(state));
}

// A drag acts on what it ends on as well.
void describe_drop(const v1::Evidence& evidence, Subject& subject) {
  subject.window->actual.push_back(evidence.drop_window().title());
  subject.process->actual.push_back(base_name(evidence.drop_window().executable()));
  subject.element->actual.push_back(evidence.drop_element().name());
  mention_words(evidence.drop_element().name(), *subject.element);
  subject.role->actual.push_back(evidence.drop_element().role());
  if (evidence.drop_unread()) subject.element_states.insert(kUnread);
  for (const int state : evidence.drop_element().states()) {
    subject.element_states.insert(static_cast<v1::UiState>(state));
  }
}

Result<void> describe_call(const v1::Action& action, const v1::Evidence* evidence, Subject& subject) {
  switch (action.tool_case()) {
    case v1::Action::kHotkey: {
      ASSIGN_OR_RETURN(subject.chord, chord({action.hotkey().keys().begin(), action.hotkey().keys().end()}));
      break;
    }
    case v1::Action::kPress: {
      ASSIGN_OR_RETURN(subject.chord, taps(keys_of(action.press())));
      break;
    }
    case v1::Action::kLaunch: describe_launch(action.launch(), evidence, subject); break;
    case v1::Action::kFileDelete:
      subject.path = Facet{{evidence == nullptr ? "" : evidence->canonical_path()}, {action.file_delete().path()}};
      subject.window.reset();
      subject.process.reset();
      break;
    default: break;
  }
  return ok();
}

bool is_text_tool(const v1::Action& action) {
  return action.has_write() || action.has_paste() || action.has_keyboard_type() || action.has_type_in_described_field();
}

void describe_text(const v1::Action& action, const EarlierTyping& earlier, Subject& subject) {
  const std::string typed = typed_by(action);
  const std::string strokes = strokes_of(action);
  if (strokes.empty() && !is_text_tool(action)) return;
  subject.text.emplace();
  if (!typed.empty() || is_text_tool(action)) subject.text->actual.push_back(typed);
  std::vector<std::string>& mentioned = subject.text->mentioned;
  const std::string together = earlier.text + typed;
  if (!earlier.text.empty()) mentioned.push_back(together);
  if (together.find('\b') != std::string::npos) mentioned.push_back(without_erased(together));
  for (const std::string& before : earlier.strokes) {
    const std::string all = before + strokes;
    const bool told_already = &before != &earlier.strokes.front() && before == earlier.strokes.front();
    if (all != together && !told_already) std::ranges::move(texts_of(all), std::back_inserter(mentioned));
  }
}

// Which word is the program is the dialog's to say (`a & b`, "C:\\x y\\z"); and enter starts what the dialog found,
// which may be more than was typed.
void describe_typed_command(const TypedCommand& command, Subject& subject) {
  constexpr std::string_view kBetweenWords = " \t\"'`;&|()<>,=@^";
  subject.command->actual.push_back(command.text);
  subject.process->actual.push_back(base_name(command.text.substr(0, command.text.find_first_of(" \t"))));
  std::string_view rest = command.text;
  while (!rest.empty()) {
    const auto end = std::min(rest.find_first_of(kBetweenWords), rest.size());
    if (end > 0) subject.process->mentioned.push_back(base_name(std::string(rest.substr(0, end))));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (command.started) subject.process->mentioned.emplace_back();
}

void describe_circumstances(const Circumstances& circumstances, Subject& subject) {
  subject.desktop = one(circumstances.desktop_id);
  subject.planner = one(circumstances.planner);
  subject.minute = circumstances.minute;
  subject.repeats = circumstances.repeats;
}

// A rule that names "delete" is meant for whatever a person reads as that.
void mention_look_alikes(Subject& subject) {
  for (std::optional<Facet>* facet : {&subject.window, &subject.element, &subject.text, &subject.command}) {
    if (!*facet) continue;
    std::vector<std::string> read;
    for (const auto* texts : {&(*facet)->actual, &(*facet)->mentioned}) {
      for (const std::string& text : *texts) std::ranges::move(readings_of(text), std::back_inserter(read));
    }
    std::ranges::move(read, std::back_inserter((*facet)->mentioned));
  }
}

}  // namespace

Result<Subject> subject_of(const std::string& tool, const v1::Action& action, const v1::Evidence* evidence,
                           const Circumstances& circumstances) {
  Subject subject;
  subject.tool = tool;
  if (evidence != nullptr) describe_place(action, *evidence, subject);
  if (evidence != nullptr && action.has_drag()) describe_drop(*evidence, subject);
  RETURN_IF_ERROR(describe_call(action, evidence, subject));
  describe_text(action, circumstances.earlier, subject);
  describe_circumstances(circumstances, subject);
  mention_look_alikes(subject);
  return subject;
}

std::optional<Subject> launch_typed_by(const v1::Action& action, const Circumstances& circumstances) {
  RunDialog dialog = circumstances.earlier.run_dialog;
  const auto commands = follow(dialog, action);
  if (commands.empty()) return std::nullopt;
  Subject subject;
  subject.tool = "launch";
  subject.command.emplace();
  subject.process.emplace();
  subject.path = one("");
  for (const TypedCommand& command : commands) describe_typed_command(command, subject);
  describe_circumstances(circumstances, subject);
  mention_look_alikes(subject);
  return subject;
}

bool is_keyboard_tool(const v1::Action& action) {
  return action.has_press() || action.has_hotkey() || action.has_write() || action.has_paste() ||
         action.has_keyboard_type();
}

bool is_pointer_tool(const v1::Action& action) {
  return action.has_mouse() || action.has_scroll() || action.has_drag();
}

const v1::Window* subject_window(const v1::Action& action, const v1::Evidence& evidence) {
  if (is_keyboard_tool(action)) return evidence.has_foreground() ? &evidence.foreground() : nullptr;
  return evidence.has_target_window() ? &evidence.target_window() : nullptr;
}

const v1::UiNode* subject_element(const v1::Action& action, const v1::Evidence& evidence) {
  if (is_keyboard_tool(action)) return evidence.has_focused_element() ? &evidence.focused_element() : nullptr;
  return evidence.has_target_element() ? &evidence.target_element() : nullptr;
}

Result<std::string> normalised_chord(std::span<const std::string> keys) {
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    auto name = contract::canonical_key(key);
    if (!name) return Error{Code::kInvalidArgument, "no key is called \"" + escape_foreign(key, 40) + "\""};
    if (std::ranges::find(names, *name) == names.end()) names.push_back(*std::move(name));
  }
  if (names.empty()) return Error{Code::kInvalidArgument, "a chord needs at least one key"};
  std::ranges::sort(names, [](const auto& a, const auto& b) { return rank(a) != rank(b) ? rank(a) < rank(b) : a < b; });
  std::string chord;
  for (const std::string& name : names) chord += (chord.empty() ? "" : "+") + name;
  return chord;
}

std::string base_name(const std::string& path) {
  const auto slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace da::policy

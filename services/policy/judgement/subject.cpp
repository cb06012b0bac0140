#include "services/policy/judgement/subject.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "lib/contract/evidence/evidence.h"
#include "lib/contract/keys.h"
#include "services/policy/judgement/caret_model.h"
#include "services/policy/judgement/chords.h"
#include "services/policy/judgement/confusables.h"
#include "services/policy/judgement/element_states.h"

namespace da::policy {
namespace {

Facet one(std::string value) { return {{std::move(value)}, {}}; }

std::vector<std::string> keys_of(const v1::Press& press) {
  if (press.has_key()) return {press.key()};
  return {press.keys().begin(), press.keys().end()};
}

// Each tapped key is a chord. With sticky keys, modifiers apply to the key tapped next: that chord is mentioned.
Result<Facet> press_facet(const std::vector<std::string>& keys) {
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

Result<Facet> hotkey_facet(const google::protobuf::RepeatedPtrField<std::string>& keys) {
  ASSIGN_OR_RETURN(auto chords, hotkey_chords(std::vector<std::string>(keys.begin(), keys.end())));
  Facet facet = one(std::move(chords.front()));
  std::move(chords.begin() + 1, chords.end(), std::back_inserter(facet.mentioned));
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
    program.actual.push_back(contract::base_name(evidence->canonical_path()));
  }
  if (evidence != nullptr && !evidence->argv().empty()) {
    program.actual.push_back(contract::base_name(evidence->argv(0)));
    for (const std::string& word : evidence->argv()) program.mentioned.push_back(contract::base_name(word));
  }
  if (program.actual.empty()) program.actual.emplace_back();
  std::string_view rest = launch.command();
  const auto end = rest.find_first_of(" \t\n");
  program.mentioned.push_back(contract::base_name(std::string(rest.substr(0, end))));
  subject.process = std::move(program);
  subject.window.reset();
}

// Programs name elements with underscores ("_Delete", "delete_all"), which \b takes for letters.
void mention_words(std::string name, Facet& element) {
  if (name.find('_') == std::string::npos) return;
  std::ranges::replace(name, '_', ' ');
  element.mentioned.push_back(std::move(name));
}

void describe_place(const v1::Action& action, const v1::Evidence& evidence, Subject& subject) {
  const v1::Window* window = contract::subject_window(action, evidence);
  subject.window = one(window == nullptr ? "" : window->title());
  subject.process = one(window == nullptr ? "" : contract::base_name(window->executable()));
  if (action.has_ui_click() && window == nullptr && evidence.has_foreground()) {
    subject.window->mentioned.push_back(evidence.foreground().title());
    subject.process->mentioned.push_back(contract::base_name(evidence.foreground().executable()));
  }
  if (action.has_app_terminate() && action.app_terminate().has_process()) {
    subject.process->mentioned.push_back(contract::base_name(action.app_terminate().process()));
  }
  if (!contract::is_keyboard_tool(action) && !is_pointer_tool(action) && !action.has_ui_click()) return;
  const v1::UiNode* element = contract::subject_element(action, evidence);
  subject.element = one(element == nullptr ? "" : element->name());
  if (element != nullptr) mention_words(element->name(), *subject.element);
  subject.role = one(element == nullptr ? "" : element->role());
  const bool unread = contract::is_keyboard_tool(action) ? evidence.focus_unread() : evidence.target_unread();
  if (unread) subject.element_states.insert(kUnread);
  if (contract::is_keyboard_tool(action) && evidence.took_keyboard()) subject.element_states.insert(kTookKeyboard);
  if (element == nullptr) return;
  for (const int state : element->states()) subject.element_states.insert(static_cast<v1::UiState>(state));
}

void describe_drop(const v1::Evidence& evidence, Subject& subject) {
  subject.window->actual.push_back(evidence.drop_window().title());
  subject.process->actual.push_back(contract::base_name(evidence.drop_window().executable()));
  subject.element->actual.push_back(evidence.drop_element().name());
  mention_words(evidence.drop_element().name(), *subject.element);
  subject.role->actual.push_back(evidence.drop_element().role());
  for (const v1::Window& window : evidence.passed_windows()) {
    subject.window->actual.push_back(window.title());
    subject.process->actual.push_back(contract::base_name(window.executable()));
  }
  if (evidence.drop_unread()) subject.element_states.insert(kUnread);
  for (const int state : evidence.drop_element().states()) {
    subject.element_states.insert(static_cast<v1::UiState>(state));
  }
}

Result<void> describe_call(const v1::Action& action, const v1::Evidence* evidence, Subject& subject) {
  switch (action.tool_case()) {
    case v1::Action::kHotkey: {
      ASSIGN_OR_RETURN(subject.chord, hotkey_facet(action.hotkey().keys()));
      break;
    }
    case v1::Action::kPress: {
      ASSIGN_OR_RETURN(subject.chord, press_facet(keys_of(action.press())));
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
    const bool is_repeated_log = &before != &earlier.strokes.front() && before == earlier.strokes.front();
    if (all != together && !is_repeated_log) std::ranges::move(texts_of(all), std::back_inserter(mentioned));
  }
}

// The dialog decides which word is the program (`a & b`, "C:\\x y\\z"), so every word is mentioned. Enter may start
// more than the typed text: the dialog completes it. So an unknown program ("") is mentioned too.
void describe_typed_command(const TypedCommand& command, Subject& subject) {
  constexpr std::string_view kBetweenWords = " \t\"'`;&|()<>,=@^";
  subject.command->actual.push_back(command.text);
  subject.process->actual.push_back(contract::base_name(command.text.substr(0, command.text.find_first_of(" \t"))));
  std::string_view rest = command.text;
  while (!rest.empty()) {
    const auto end = std::min(rest.find_first_of(kBetweenWords), rest.size());
    if (end > 0) subject.process->mentioned.push_back(contract::base_name(std::string(rest.substr(0, end))));
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

// A rule that names "delete" also applies to every text that a person reads as "delete".
void mention_confusables(Subject& subject) {
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
  mention_confusables(subject);
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
  mention_confusables(subject);
  return subject;
}

bool is_pointer_tool(const v1::Action& action) {
  return action.has_mouse() || action.has_scroll() || action.has_drag();
}

}  // namespace da::policy

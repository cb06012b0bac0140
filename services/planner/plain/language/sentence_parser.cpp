#include "services/planner/plain/language/sentence_parser.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/contract/json/parse.h"
#include "lib/contract/keys.h"
#include "services/planner/plain/language/actions.h"
#include "services/planner/plain/language/condition_parser.h"

namespace da::planner::plain {

std::string_view syntax_of(contract::GoalSentence sentence) { return contract::form_of(sentence).syntax; }

bool is_word(const RawSentence& raw, std::size_t index, std::string_view word) {
  return index < raw.tokens.size() && raw.tokens[index].kind == Token::Kind::kWord &&
         fold_case(raw.tokens[index].text) == word;
}

namespace {

constexpr double kDefaultWaitForSeconds = 10;
constexpr double kMaxNotches = 100;
constexpr std::string_view kClickModifiers[] = {"ctrl", "shift", "alt"};

std::vector<std::string> strings(std::span<const std::string_view> names) { return {names.begin(), names.end()}; }

Result<Command> parse_open(SentenceReader& in) {
  ASSIGN_OR_RETURN(const auto within, in.take_within());
  if (in.at_end()) return in.expected("the name of an application, or a command");
  auto quoted = in.lone_quoted();
  std::string command = quoted ? *std::move(quoted) : in.rest_as_written();
  return OpenApp{std::move(command), within};
}

template <class OnWindow>
Result<Command> parse_title(SentenceReader& in) {
  ASSIGN_OR_RETURN(std::string title, in.name());
  return OnWindow{std::move(title)};
}

Result<Command> parse_type(SentenceReader& in) {
  TypeText command;
  ASSIGN_OR_RETURN(command.text, in.text());
  if (in.accept({"into", "in"})) {
    ASSIGN_OR_RETURN(command.field, in.target());
  }
  return command;
}

Result<Command> parse_paste(SentenceReader& in) {
  ASSIGN_OR_RETURN(std::string text, in.text());
  return PasteText{std::move(text)};
}

// "ctrl+shift+s" -> its names; the last may be "+" itself: "ctrl++".
std::vector<std::string> split_chord(std::string_view chord) {
  std::vector<std::string> names;
  while (true) {
    const auto plus = chord.find('+', 1);
    names.emplace_back(trim(chord.substr(0, plus)));
    if (plus == std::string_view::npos || plus + 1 == chord.size()) {
      if (plus != std::string_view::npos) names.emplace_back();
      return names;
    }
    chord.remove_prefix(plus + 1);
  }
}

Result<Command> parse_press(SentenceReader& in) {
  const Position at = in.position();
  if (in.at_end()) return in.expected("a key, such as enter or ctrl+s (a # in quotes, for it begins a comment)");
  auto quoted = in.lone_quoted();
  const std::string chord = quoted ? *std::move(quoted) : in.rest_as_written();
  if (chord.empty()) return in.problem(at, "found no key between the quotes");
  PressKeys command;
  for (const std::string& name : split_chord(chord)) {
    const auto key = contract::canonical_key(name);
    if (!key) {
      return in.problem(at, "no key is called \"" + escape_foreign(name, 60) + "\"" +
                                did_you_mean(name, strings(contract::named_keys())));
    }
    command.keys.push_back(*key);
  }
  for (std::size_t i = 0; i + 1 < command.keys.size(); ++i) {
    if (contract::is_modifier(command.keys[i])) continue;
    return in.problem(at, "only ctrl, shift, alt, altgr and win can be held in a chord, not \"" +
                              escape_foreign(command.keys[i]) + "\"; press keys in turn by sentences of their own");
  }
  return command;
}

Result<Target> parse_place_or_name(SentenceReader& in) {
  if (in.accept({"at"})) {
    ASSIGN_OR_RETURN(const Point at, in.point());
    return Target(at);
  }
  ASSIGN_OR_RETURN(std::string name, in.target());
  return Target(std::move(name));
}

// An end of a drag, or the place of a scroll; a number begins a place.
Result<Target> parse_end(SentenceReader& in) {
  in.accept({"at"});
  if (in.sees_place()) {
    ASSIGN_OR_RETURN(const Point at, in.point());
    return Target(at);
  }
  ASSIGN_OR_RETURN(std::string name, in.target());
  return Target(std::move(name));
}

// "with ctrl", "with ctrl and shift", "with ctrl+shift", "holding alt".
Result<std::vector<std::string>> parse_modifiers(SentenceReader& in) {
  std::vector<std::string> held;
  if (!in.accept({"with", "holding"})) return held;
  do {
    const Position at = in.position();
    const auto word = in.word();
    if (!word) return in.expected("ctrl, shift or alt");
    for (const std::string& name : split_chord(*word)) {
      const auto key = contract::canonical_key(name);
      if (!key || std::ranges::find(kClickModifiers, *key) == std::end(kClickModifiers)) {
        return in.problem(at, "a click can hold ctrl, shift and alt, not \"" + escape_foreign(name, 60) + "\"");
      }
      if (std::ranges::find(held, *key) == held.end()) held.push_back(*key);
    }
  } while (in.accept({"and"}) || in.accept_comma());
  return held;
}

template <ClickKind kind>
Result<Command> parse_click(SentenceReader& in) {
  Click command{kind, {}};
  in.accept({"on"});
  ASSIGN_OR_RETURN(command.target, parse_place_or_name(in));
  ASSIGN_OR_RETURN(command.modifiers, parse_modifiers(in));
  return command;
}

Result<Command> parse_hover(SentenceReader& in) {
  in.accept({"over"});
  ASSIGN_OR_RETURN(auto target, parse_place_or_name(in));
  return Hover{std::move(target)};
}

Result<Command> parse_set(SentenceReader& in) {
  SetValue command;
  ASSIGN_OR_RETURN(command.target, in.target());
  RETURN_IF_ERROR(in.expect("to"));
  ASSIGN_OR_RETURN(const auto amount, in.amount());
  command.value = amount.value;
  command.percent = amount.percent;
  return command;
}

Result<Command> parse_copy(SentenceReader& in) {
  Copy command;
  in.accept({"text"});
  in.accept({"of"});
  ASSIGN_OR_RETURN(command.target, in.target());
  RETURN_IF_ERROR(in.expect("as"));
  ASSIGN_OR_RETURN(command.name, in.variable_name());
  return command;
}

Result<Command> parse_scroll(SentenceReader& in) {
  const bool up = in.sees({"up"});
  if (!in.accept({"up", "down"})) return in.expected("\"up\" or \"down\"");
  const Position at = in.position();
  ASSIGN_OR_RETURN(const double notches, in.number());
  if (notches < 1 || notches > kMaxNotches || notches != std::floor(notches)) {
    return in.problem(at, "the wheel turns by 1 to 100 whole notches");
  }
  Scroll command{static_cast<int>(up ? -notches : notches), std::nullopt};
  if (in.accept({"at"})) {
    ASSIGN_OR_RETURN(command.target, parse_end(in));
  }
  return command;
}

Result<Command> parse_drag(SentenceReader& in) {
  Drag command;
  in.accept({"from"});
  ASSIGN_OR_RETURN(command.from, parse_end(in));
  if (in.accept({"by"})) {
    ASSIGN_OR_RETURN(command.by, in.point());
    return command;
  }
  if (!in.accept({"to", "onto"})) return in.expected("\"to\", or \"by\" and an amount such as 40,-10");
  ASSIGN_OR_RETURN(command.to, parse_end(in));
  return command;
}

// The written form of a row of this list, or of the list's window.
std::string row_in(const std::string& row, const ElementQuery& list) {
  ElementQuery query{.name = row, .role = "item"};
  query.window = list.window;
  query.anchor = list.name;
  query.anchor_role = list.role;
  if (!list.name.empty() || !list.role.empty()) query.relation = contract::Relation::kInside;
  return to_text(query);
}

Result<std::string> item_name(SentenceReader& in) {
  const Position at = in.position();
  ASSIGN_OR_RETURN(std::string item, in.text());
  if (trim(item).empty()) return in.problem(at, "an empty name matches everything; name the item");
  return item;
}

Result<Command> parse_select(SentenceReader& in) {
  std::vector<std::string> items;
  do {
    in.accept({"and"});
    ASSIGN_OR_RETURN(std::string item, item_name(in));
    items.push_back(std::move(item));
  } while (in.accept_comma() || in.sees({"and"}));
  if (!in.accept({"in", "from"})) return in.expected("\"in\" and the list");
  const Position at = in.position();
  if (items.size() == 1) {
    ASSIGN_OR_RETURN(const std::string list, in.target());
    ElementQuery query = parse_element_query(list);
    if (query.role.empty()) query.role = "combo box";
    return Select{items.front(), to_text(query)};
  }
  ElementQuery list{.role = in.lone_kind().value_or("")};
  if (list.role.empty()) {
    ASSIGN_OR_RETURN(const std::string named, in.target());
    list = parse_element_query(named);
  }
  if (list.index != 0 || list.relation != contract::Relation::kNone) {
    return in.problem(at, "several rows need a list by its name or kind, such as list \"Files\"");
  }
  SelectRows command;
  for (const std::string& item : items) command.rows.push_back(row_in(item, list));
  return command;
}

Result<double> parse_seconds(SentenceReader& in) {
  const Position at = in.position();
  ASSIGN_OR_RETURN(const double seconds, in.number());
  if (seconds > kMaxWaitSeconds) return in.problem(at, "the longest wait is 600 seconds");
  if (!in.accept({"seconds", "second", "secs", "sec", "s"})) return in.expected("\"seconds\"");
  return seconds;
}

Result<Command> parse_wait_until(SentenceReader& in) {
  WaitUntil command{{}, kDefaultWaitForSeconds};
  ASSIGN_OR_RETURN(const auto seconds, in.take_seconds());
  if (seconds) command.seconds = *seconds;
  ASSIGN_OR_RETURN(command.condition, parse_condition(in));
  return command;
}

Result<Command> parse_wait(SentenceReader& in) {
  if (in.accept({"until"})) return parse_wait_until(in);
  if (!in.accept({"for"})) {
    ASSIGN_OR_RETURN(const double seconds, parse_seconds(in));
    return WaitSeconds{seconds};
  }
  WaitForText command{{}, kDefaultWaitForSeconds};
  ASSIGN_OR_RETURN(command.text, in.target());
  if (!in.at_end()) {
    ASSIGN_OR_RETURN(command.seconds, parse_seconds(in));
  }
  return command;
}

Result<Command> parse_check(SentenceReader& in) {
  ASSIGN_OR_RETURN(Check command, parse_condition(in));
  return command;
}

Result<Command> parse_delete(SentenceReader& in) {
  in.accept({"the"});
  RETURN_IF_ERROR(in.expect("file"));
  ASSIGN_OR_RETURN(std::string path, in.text());
  return DeleteFile{std::move(path)};
}

using Form = contract::GoalSentence;

struct Verb {
  std::string_view word;
  std::string_view second;  // An optional second word: "double click".
  Form form;
  Result<Command> (*parse)(SentenceReader&);
};

constexpr Verb kVerbs[] = {
    {"open", "", Form::kOpen, parse_open},
    {"launch", "", Form::kOpen, parse_open},
    {"focus", "", Form::kFocus, parse_title<FocusWindow>},
    {"type", "", Form::kType, parse_type},
    {"paste", "", Form::kPaste, parse_paste},
    {"press", "", Form::kPress, parse_press},
    {"click", "", Form::kClick, parse_click<ClickKind::kSingle>},
    {"double-click", "", Form::kClick, parse_click<ClickKind::kDouble>},
    {"double", "click", Form::kClick, parse_click<ClickKind::kDouble>},
    {"right-click", "", Form::kClick, parse_click<ClickKind::kRight>},
    {"right", "click", Form::kClick, parse_click<ClickKind::kRight>},
    {"hover", "", Form::kHover, parse_hover},
    {"set", "", Form::kSet, parse_set},
    {"move", "", Form::kSet, parse_set},
    {"scroll", "", Form::kScroll, parse_scroll},
    {"drag", "", Form::kDrag, parse_drag},
    {"select", "", Form::kSelect, parse_select},
    {"copy", "", Form::kCopy, parse_copy},
    {"wait", "for", Form::kWaitFor, parse_wait},
    {"wait", "until", Form::kWaitUntil, parse_wait},
    {"wait", "", Form::kWait, parse_wait},
    {"check", "window", Form::kCheckWindow, parse_check},
    {"check", "", Form::kCheck, parse_check},
    {"close", "", Form::kClose, parse_title<CloseWindow>},
    {"terminate", "", Form::kTerminate, parse_title<TerminateApp>},
    {"delete", "", Form::kDelete, parse_delete},
};

const Verb* verb_of(const RawSentence& raw) {
  const auto verb = std::ranges::find_if(kVerbs, [&](const Verb& candidate) {
    return is_word(raw, 0, candidate.word) && (candidate.second.empty() || is_word(raw, 1, candidate.second));
  });
  return verb == std::end(kVerbs) ? nullptr : verb;
}

Error not_understood(const RawSentence& raw) {
  std::vector<std::string> known{"if", "repeat", "while", "optional"};
  for (const Verb& verb : kVerbs) known.emplace_back(verb.word);
  const Token& first = raw.tokens.front();
  const std::string meant = first.kind == Token::Kind::kWord ? did_you_mean(first.text, known) : "";
  std::string message =
      "found " + escape_foreign(first.source, 60) + ", which does not begin a sentence" + meant + ". Sentences are:";
  for (const auto& form : contract::goal_sentences()) message += "\n  " + std::string(form.syntax);
  return goal_error(first.at, message);
}

}  // namespace

Sentence sentence_of(Command command, const RawSentence& raw) {
  SentenceReader whole(raw, {});
  return Sentence{
      std::move(command), whole.rest_as_written(), raw.tokens.front().at.line, raw.tokens.front().at.column, {}};
}

Result<Sentence> parse_sentence(const RawSentence& raw) {
  const Verb* verb = verb_of(raw);
  if (verb == nullptr) return not_understood(raw);
  SentenceReader in(raw, syntax_of(verb->form));
  in.accept({verb->word});
  // parse_wait and parse_check read their own second word.
  if (verb->second == "click") in.accept({verb->second});
  const Position begin = in.position();
  ASSIGN_OR_RETURN(Command command, verb->parse(in));
  RETURN_IF_ERROR(in.expect_end());
  if (const auto valid = contract::validate(draft_action(command)); !valid) {
    return in.problem(begin, valid.error().message);
  }
  return sentence_of(std::move(command), raw);
}

}  // namespace da::planner::plain

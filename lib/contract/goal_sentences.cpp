#include "lib/contract/goal_sentences.h"

#include <array>

namespace da::contract {
namespace {

constexpr std::array kForms = {
    GoalSentenceForm{GoalSentence::kOpen, "open APP [within N seconds]",
                     "starts an application by its command or desktop entry, and waits for its window; also launch",
                     "open mousepad within 20 seconds"},
    GoalSentenceForm{GoalSentence::kFocus, "focus \"TITLE\"", "brings a window to the front", "focus \"Untitled\""},
    GoalSentenceForm{
        GoalSentence::kType, "type \"TEXT\" [into TARGET]",
        "types any Unicode text (\\n \\t \\\" \\\\); with into, it replaces the content of a one-line field",
        "type \"Ada\" into field right of \"Name\""},
    GoalSentenceForm{GoalSentence::kPaste, "paste \"TEXT\"", "puts the text on the clipboard and presses ctrl+v",
                     "paste \"a long text\""},
    GoalSentenceForm{GoalSentence::kPress, "press KEY", "presses a key (enter, f5, a) or a chord (ctrl+s)",
                     "press ctrl+shift+s"},
    GoalSentenceForm{
        GoalSentence::kClick, "click TARGET [with KEYS]",
        "clicks a target, or click at X,Y; also double-click and right-click; KEYS are ctrl, shift and alt",
        "click \"b.txt\" with ctrl and shift"},
    GoalSentenceForm{GoalSentence::kHover, "hover TARGET", "moves the pointer over a target and leaves it there",
                     "hover \"Tools\""},
    GoalSentenceForm{GoalSentence::kSet, "set TARGET to N[%]",
                     "moves a slider, or fills a spin button, and fails unless it then tells N; also move",
                     "set \"Volume\" to 40"},
    GoalSentenceForm{GoalSentence::kSelect, "select \"ITEM\", ... in TARGET",
                     "selects an item of a drop-down list, or several rows of a list or table",
                     "select \"a.txt\", \"b.txt\" in list \"Files\""},
    GoalSentenceForm{GoalSentence::kScroll, "scroll up|down N [at TARGET]",
                     "turns the wheel by N notches over a target or at X,Y (default: the focused window)",
                     "scroll down 3 at \"Files\""},
    GoalSentenceForm{GoalSentence::kDrag, "drag TARGET to TARGET",
                     "drags one target to another, or by an amount: drag TARGET by X,Y; each may be X,Y",
                     "drag \"Splitter\" by 40,-10"},
    GoalSentenceForm{GoalSentence::kCopy, "copy TARGET as NAME",
                     "reads the text of a target; later sentences write it as {{NAME}} in their quoted texts",
                     "copy \"Order number\" as order; type \"{{order}}\" into \"Search\""},
    GoalSentenceForm{GoalSentence::kWait, "wait N seconds", "waits", "wait 1.5 seconds"},
    GoalSentenceForm{GoalSentence::kWaitFor, "wait for TARGET [N seconds]",
                     "waits until the target shows, 10 seconds at most by default", "wait for \"Done\" 60 seconds"},
    GoalSentenceForm{GoalSentence::kWaitUntil, "wait until CONDITION [N seconds]",
                     "waits until the condition is true, 10 seconds at most by default",
                     "wait until \"Send\" is enabled 30 seconds"},
    GoalSentenceForm{GoalSentence::kCheck, "check CONDITION",
                     "ends the goal as failed unless the condition becomes true within 10 seconds",
                     "check \"Name\" has text \"Ada\""},
    GoalSentenceForm{GoalSentence::kCheckWindow, "check window \"TITLE\" is open|closed", "the same for a window",
                     "check window \"Save As\" is closed"},
    GoalSentenceForm{GoalSentence::kClose, "close \"TITLE\"", "asks a window to close", "close \"Mousepad\""},
    GoalSentenceForm{GoalSentence::kTerminate, "terminate \"TITLE\"", "kills the application; always asks you",
                     "terminate \"Mousepad\""},
    GoalSentenceForm{GoalSentence::kDelete, "delete file \"PATH\"", "moves a file to the trash; always asks you",
                     "delete file \"/tmp/old.txt\""},
    GoalSentenceForm{GoalSentence::kRepeat, "repeat N times: SENTENCES", "", "repeat 3 times: { press tab; press a }"},
    GoalSentenceForm{GoalSentence::kIf, "if CONDITION [within N seconds]: SENTENCES",
                     "leaves the sentences out unless the condition becomes true within a second",
                     "if \"Later\" is visible within 2 seconds: click \"Later\""},
    GoalSentenceForm{GoalSentence::kWhile, "while CONDITION [at most N times]: SENTENCES",
                     "repeats the sentences while the condition is true; fails if it still is after N times (100)",
                     "while \"Next\" is enabled at most 20 times: click \"Next\""},
    GoalSentenceForm{GoalSentence::kOptional, "optional [within N seconds]: SENTENCES",
                     "goes on after a failure; targets are waited for 3 seconds", "optional: click \"Later\""},
};

constexpr std::array kTerms = {
    GoalTerm{
        "TARGET", "[2nd] [KIND] \"NAME\" [PLACE] [in \"WINDOW\"]",
        "the number counts in reading order; the window is a part of its title; a KIND with a number, a place or a "
        "window needs no name"},
    GoalTerm{"PLACE", "right of|left of|below|above|in row|inside [KIND] \"NAME\"",
             "the nearest one beside another element or text"},
    GoalTerm{"KIND", "button, field, check box, menu item, tab, link, slider, list, ...",
             "any kind that `da-console elements` prints"},
    GoalTerm{"CONDITION", "TARGET is [not] visible|enabled|checked",
             "also is disabled, is unchecked, has text \"TEXT\"; window \"TITLE\" is open|closed"},
    GoalTerm{"SENTENCES", "SENTENCE or { SENTENCE; SENTENCE }", "on the line of the colon"},
};

std::string escaped_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string row(std::string_view code, std::string_view meaning) {
  return "| `" + escaped_cell(code) + "` | " + escaped_cell(meaning) + " |\n";
}

}  // namespace

std::span<const GoalSentenceForm> goal_sentences() { return kForms; }

const GoalSentenceForm& form_of(GoalSentence sentence) { return kForms[static_cast<std::size_t>(sentence)]; }

std::span<const GoalTerm> goal_terms() { return kTerms; }

std::string goal_sentences_markdown() {
  std::string text = "| sentence | |\n|---|---|\n";
  for (const GoalSentenceForm& form : kForms) text += row(form.syntax, form.meaning);
  text += "\n| term | |\n|---|---|\n";
  for (const GoalTerm& term : kTerms) {
    text += row(std::string(term.name) + " = " + std::string(term.syntax), term.meaning);
  }
  return text;
}

std::string goal_sentences_help() {
  std::string text = "Sentences (separated by ; or a new line, or the word then):\n";
  for (const GoalSentenceForm& form : kForms) {
    text += "  " + std::string(form.syntax) + "\n";
    if (!form.meaning.empty()) text += "      " + std::string(form.meaning) + "\n";
    text += "      " + std::string(form.example) + "\n";
  }
  text += "\nTerms:\n";
  for (const GoalTerm& term : kTerms) {
    text +=
        "  " + std::string(term.name) + ": " + std::string(term.syntax) + "\n      " + std::string(term.meaning) + "\n";
  }
  return text;
}

}  // namespace da::contract

#include "services/planner/plain/language/goal_parser.h"

#include <gtest/gtest.h>

#include "lib/base/text.h"
#include "lib/contract/goal_sentences.h"

namespace da::planner::plain {
namespace {

Goal parsed(std::string_view text) {
  auto goal = parse_goal(text);
  EXPECT_TRUE(goal) << text << ": " << (goal ? "" : goal.error().message);
  return goal ? *std::move(goal) : Goal();
}

template <class T>
T only(std::string_view text) {
  const Goal goal = parsed(text);
  EXPECT_EQ(goal.size(), 1u) << text;
  if (goal.size() != 1 || !std::holds_alternative<T>(goal.front().command)) {
    ADD_FAILURE() << text << " is something else";
    return {};
  }
  return std::get<T>(goal.front().command);
}

std::string parse_error(std::string_view text) {
  const auto goal = parse_goal(text);
  if (goal) {
    ADD_FAILURE() << text << " was understood";
    return {};
  }
  EXPECT_EQ(goal.error().code, Code::kInvalidArgument);
  return goal.error().message;
}

void expect_error(std::string_view text, std::string_view beginning, std::string_view part = "") {
  const std::string error = parse_error(text);
  EXPECT_TRUE(error.starts_with(beginning)) << error;
  EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(GoalParser, SplitsAtSemicolonsLinesAndThenOutsideQuotes) {
  EXPECT_EQ(parsed("open a; open b\nopen c then open d, Then open e").size(), 5u);
  EXPECT_EQ(parsed(";;\n open a ;\n; then ").size(), 1u);
  EXPECT_EQ(only<TypeText>("type \"a; b then c\nd\"").text, "a; b then c\nd");
}

TEST(GoalParser, OpensApplicationsAndCommands) {
  EXPECT_EQ(only<OpenApp>("open mousepad").command, "mousepad");
  EXPECT_EQ(only<OpenApp>("LAUNCH \"gnome-calculator\"").command, "gnome-calculator");
  EXPECT_EQ(only<OpenApp>("open xterm  -e \"cat; ls\" -n it's").command, "xterm -e \"cat; ls\" -n it's");
  EXPECT_EQ(parsed("open mousepad, then type \"x\"").size(), 2u);
}

TEST(GoalParser, ReadsTextWithEscapesAndAnyQuotes) {
  EXPECT_EQ(only<TypeText>(R"(type "a\"b\\c\nd\te")").text, "a\"b\\c\nd\te");
  EXPECT_EQ(only<TypeText>("type “Grüße 漢字 €”").text, "Grüße 漢字 €");
  EXPECT_EQ(only<TypeText>("type „so“").text, "so");
  EXPECT_EQ(only<TypeText>("type 'say \"hi\"'").text, "say \"hi\"");
  EXPECT_EQ(only<TypeText>("type ‘it’").text, "it");
  EXPECT_EQ(only<TypeText>("type \"a\r\nb\"").text, "a\nb");
  EXPECT_EQ(only<TypeText>("type \"\xF0\x9F\x98\x80\"").text, "\xF0\x9F\x98\x80");
}

TEST(GoalParser, TypesIntoFields) {
  EXPECT_EQ(only<TypeText>("type \"x\"").field, std::nullopt);
  EXPECT_EQ(only<TypeText>("type \"x\" into \"Name\"").field, "Name");
  EXPECT_EQ(only<TypeText>("type \"x\" into the \"Name\" field").field, "field \"Name\"");
  EXPECT_EQ(only<TypeText>("type \"x\" in \"Name\" in \"Log in\"").field, "\"Name\" in \"Log in\"");
  EXPECT_EQ(only<PasteText>("Paste \"x\"").text, "x");
}

TEST(GoalParser, ReadsKeysAndChords) {
  using Keys = std::vector<std::string>;
  EXPECT_EQ(only<PressKeys>("press Return").keys, Keys{"enter"});
  EXPECT_EQ(only<PressKeys>("press ctrl+s").keys, (Keys{"ctrl", "s"}));
  EXPECT_EQ(only<PressKeys>("press Ctrl + Shift + S").keys, (Keys{"ctrl", "shift", "s"}));
  EXPECT_EQ(only<PressKeys>("press ctrl++").keys, (Keys{"ctrl", "plus"}));
  EXPECT_EQ(only<PressKeys>("press \";\"").keys, Keys{";"});
  EXPECT_EQ(only<PressKeys>("press ctrl+,").keys, (Keys{"ctrl", ","}));
  EXPECT_EQ(only<PressKeys>("press f5").keys, Keys{"f5"});
}

TEST(GoalParser, ReadsClicks) {
  EXPECT_EQ(std::get<std::string>(only<Click>("click \"Save\"").target), "Save");
  EXPECT_EQ(std::get<std::string>(only<Click>("click on the \"Save\" icon").target), "Save");
  EXPECT_EQ(std::get<Point>(only<Click>("click at 10,-20").target), (Point{10, -20}));
  EXPECT_EQ(std::get<Point>(only<Click>("double-click at 10 , 20").target), (Point{10, 20}));
  EXPECT_EQ(only<Click>("double click \"a\"").kind, ClickKind::kDouble);
  EXPECT_EQ(only<Click>("right-click \"a\"").kind, ClickKind::kRight);
}

TEST(GoalParser, ReadsWheelAndDrag) {
  EXPECT_EQ(only<Scroll>("scroll up 3").notches_down, -3);
  EXPECT_EQ(only<Scroll>("scroll down 2").target, std::nullopt);
  EXPECT_EQ(std::get<std::string>(*only<Scroll>("scroll down 2 at \"List\"").target), "\"List\"");
  EXPECT_EQ(std::get<Point>(*only<Scroll>("scroll down 2 at 5,6").target), (Point{5, 6}));
  EXPECT_EQ(std::get<Point>(only<Drag>("drag from 1,2 to 3,4").to), (Point{3, 4}));
}

TEST(GoalParser, ReadsDragsBetweenNamesAndPlaces) {
  EXPECT_EQ(std::get<std::string>(only<Drag>("drag \"card 1\" to \"Done\"").from), "card 1");
  EXPECT_EQ(std::get<std::string>(only<Drag>("drag \"card 1\" onto \"Done\" in \"Board\"").to),
            "\"Done\" in \"Board\"");
  EXPECT_EQ(std::get<Point>(only<Drag>("drag \"x\" to 10,-20").to), (Point{10, -20}));
  EXPECT_EQ(std::get<Point>(only<Drag>("drag from at 1,2 to \"x\"").from), (Point{1, 2}));
}

TEST(GoalParser, ReadsTargetsByKindNumberAndWindow) {
  const auto target = [](std::string_view text) { return std::get<std::string>(only<Click>(text).target); };
  EXPECT_EQ(target("click button \"OK\" in \"Save As\""), "button \"OK\" in \"Save As\"");
  EXPECT_EQ(target("click the \"OK\" Button in the \"Save As\" dialog"), "button \"OK\" in \"Save As\"");
  EXPECT_EQ(target("click 2nd \"Edit\""), "2nd \"Edit\"");
  EXPECT_EQ(target("click the third check box"), "3rd check box");
  EXPECT_EQ(target("click radio button \"A \\\"b\\\"\""), R"(radio button "A \"b\"")");
  EXPECT_EQ(only<Check>("check 2nd \"Edit\" in \"W\" is enabled").target, "2nd \"Edit\" in \"W\"");
  EXPECT_EQ(std::get<std::string>(*only<Scroll>("scroll down 2 at the \"List\" in \"W\"").target), "\"List\" in \"W\"");
  EXPECT_EQ(only<WaitForText>("wait for button \"Done\" 5 seconds").text, "button \"Done\"");
}

TEST(GoalParser, UnderstandsTheExampleOfEachSentence) {
  for (const contract::GoalSentenceForm& form : contract::goal_sentences()) {
    EXPECT_TRUE(parse_goal(form.example)) << form.example;
    const std::string verb(form.example.substr(0, form.example.find(' ')));
    EXPECT_TRUE(form.syntax.starts_with(verb.substr(0, verb.find(':')))) << form.syntax;
  }
}

TEST(GoalParser, ReadsTargetsByTheirPlace) {
  const auto target = [](std::string_view text) { return std::get<std::string>(only<Click>(text).target); };
  EXPECT_EQ(target("click the button to the right of \"Name\""), "button right of \"Name\"");
  EXPECT_EQ(target("click right of label \"Name\" in \"Form\""), "right of label \"Name\" in \"Form\"");
  EXPECT_EQ(target("click \"Edit\" in row \"Smith\""), "\"Edit\" in row \"Smith\"");
  EXPECT_EQ(target("click table column header \"Size\""), "table column header \"Size\"");
  EXPECT_EQ(target("click 2nd field below \"Size\""), "2nd field below \"Size\"");
  EXPECT_EQ(only<TypeText>("type \"5\" into field right of \"Receiver\"").field, "field right of \"Receiver\"");
  EXPECT_EQ(only<TypeText>("type \"5\" into 2nd text field").field, "2nd text field");
  expect_error("click right of", "line 1, column 15: the sentence ends here");
}

TEST(GoalParser, ReadsKeysThatAClickHolds) {
  using Keys = std::vector<std::string>;
  EXPECT_EQ(only<Click>("click \"a\" with ctrl").modifiers, Keys{"ctrl"});
  EXPECT_EQ(only<Click>("right-click \"a\" with Ctrl+Shift").modifiers, (Keys{"ctrl", "shift"}));
  EXPECT_EQ(only<Click>("click at 1,2 with alt and shift").modifiers, (Keys{"alt", "shift"}));
  expect_error("click \"a\" with enter", "line 1, column 16: a click can hold ctrl, shift and alt");
  expect_error("click \"a\" with", "line 1, column 15: the sentence ends here");
}

TEST(GoalParser, ReadsPointerAndValues) {
  EXPECT_EQ(std::get<std::string>(only<Hover>("hover over the \"Tools\" button").target), "button \"Tools\"");
  EXPECT_EQ(only<SetValue>("set \"Volume\" to -4.5").value, -4.5);
  EXPECT_TRUE(only<SetValue>("move slider \"Volume\" to 40%").percent);
  EXPECT_EQ(only<Drag>("drag \"Splitter\" by 40,-10").by, (Point{40, -10}));
  EXPECT_EQ(only<Copy>("copy \"Order\" as order").name, "order");
  expect_error("copy \"Order\" as 2nd", "line 1, column 17: found 2nd, expected a name");
}

TEST(GoalParser, ReadsSeveralRows) {
  using Rows = std::vector<std::string>;
  EXPECT_EQ(only<SelectRows>("select \"a\", \"b\" in list \"Files\"").rows,
            (Rows{"item \"a\" inside list \"Files\"", "item \"b\" inside list \"Files\""}));
  EXPECT_EQ(only<SelectRows>("select \"a\", \"b\" and \"c\" in the table").rows.back(), "item \"c\" inside table");
  EXPECT_EQ(only<Select>("select \"a\" in \"Colour\"").item, "a");
}

TEST(GoalParser, ReadsConditionsToWaitForAndLoops) {
  EXPECT_EQ(only<WaitUntil>("wait until \"Send\" is enabled 30 seconds").seconds, 30);
  EXPECT_EQ(only<WaitUntil>("wait until window \"a\" is closed within 5 seconds").condition.property,
            Property::kWindowClosed);
  EXPECT_EQ(only<WaitUntil>("wait until \"a\" has text \"5 seconds\"").seconds, 10);
  const Goal goal = parsed("while \"Next\" is enabled at most 7 times: { click \"Next\"; wait 1 second }; press a");
  ASSERT_EQ(goal.size(), 5u);
  EXPECT_EQ(std::get<While>(goal[0].command).sentences, 3u);
  EXPECT_EQ(std::get<While>(goal[0].command).most_rounds, 7u);
  EXPECT_EQ(std::get<EndWhile>(goal[3].command).sentences, 3u);
  expect_error("while \"a\" is visible at most 0 times: press a", "line 1, column 7: a loop has 1 to");
}

TEST(GoalParser, AValueIsCopiedBeforeItIsUsed) {
  parsed("copy \"a\" as x; type \"{{x}}\"");
  parsed("type \"{{other}}\"");
  expect_error("type \"{{x}}\"; copy \"a\" as x", "line 1, column 1: {{x}} is used before");
}

TEST(GoalParser, ReadsChoicesInDropDownLists) {
  EXPECT_EQ(only<Select>("select \"Blue\" in \"Colour\"").list, "combo box \"Colour\"");
  EXPECT_EQ(only<Select>("select \"Blue\" in 2nd dropdown in \"Form\"").list, "2nd dropdown in \"Form\"");
  EXPECT_EQ(only<Select>("select \"Blue\" from the \"Colour\" combo box").item, "Blue");
}

TEST(GoalParser, ReadsHowLongAnApplicationMayTake) {
  EXPECT_EQ(only<OpenApp>("open mousepad").within, std::nullopt);
  EXPECT_EQ(only<OpenApp>("open libreoffice --calc within 60 seconds").within, 60);
  EXPECT_EQ(only<OpenApp>("open libreoffice --calc within 60 seconds").command, "libreoffice --calc");
  EXPECT_EQ(only<OpenApp>("open \"x within 5 seconds\"").command, "x within 5 seconds");
  EXPECT_EQ(only<OpenApp>("open within").command, "within");
  expect_error("open x within soon seconds", "line 1, column 15: found soon");
  expect_error("open x within 601 seconds", "line 1, column 15: the longest wait is 600");
}

TEST(GoalParser, ReadsNegatedChecks) {
  EXPECT_EQ(only<Check>("check \"a\" is not visible").property, Property::kNotVisible);
  EXPECT_EQ(only<Check>("check \"a\" is disabled").property, Property::kDisabled);
  EXPECT_EQ(only<Check>("check \"a\" is not enabled").property, Property::kDisabled);
  EXPECT_EQ(only<Check>("check \"a\" is unchecked").property, Property::kUnchecked);
  EXPECT_EQ(only<Check>("check window \"a\" is closed").property, Property::kWindowClosed);
  EXPECT_EQ(only<Check>("check window \"a\" is not open").property, Property::kWindowClosed);
  expect_error("check \"a\" is not disabled", "line 1, column 18: found disabled");
}

TEST(GoalParser, IgnoresComments) {
  const Goal goal = parsed("# first; open a\nopen b # then open c\n  #d\ntype \"#e\"; press \"#\"; open x#y");
  ASSERT_EQ(goal.size(), 4u);
  EXPECT_EQ(std::get<OpenApp>(goal[0].command).command, "b");
  EXPECT_EQ(goal[0].source, "open b");
  EXPECT_EQ(std::get<TypeText>(goal[1].command).text, "#e");
  EXPECT_EQ(std::get<OpenApp>(goal[3].command).command, "x#y");
  expect_error("# nothing", "line 1, column 1: the goal is empty");
  expect_error("press #", "line 1, column 6: the sentence ends here", "in quotes");
}

TEST(GoalParser, RepeatsASentenceOrABlock) {
  EXPECT_EQ(parsed("repeat 3 times: press tab").size(), 3u);
  const Goal goal =
      parsed("open a\nrepeat 2 times: {\n  press tab\n  repeat 2 times: press down; type \"}\" }\nopen b");
  ASSERT_EQ(goal.size(), 10u);
  EXPECT_EQ(goal[5].line, 3u);
  EXPECT_EQ(goal[5].source, "press tab");
  EXPECT_EQ(std::get<TypeText>(goal[8].command).text, "}");
  EXPECT_EQ(parsed("repeat 1 time:{press tab};open b").size(), 2u);
}

TEST(GoalParser, ReadsConditions) {
  const Goal goal = parsed("if \"Welcome\" is visible: click \"Later\"; open b");
  ASSERT_EQ(goal.size(), 3u);
  const If& condition = std::get<If>(goal[0].command);
  EXPECT_EQ(condition.condition.target, "Welcome");
  EXPECT_EQ(condition.within, 1);
  EXPECT_EQ(condition.sentences, 1u);
  const Goal nested = parsed(
      "if window \"W\" is open within 5 seconds : { repeat 2 times: press tab; if \"a\" is not visible: open x }");
  EXPECT_EQ(std::get<If>(nested[0].command).within, 5);
  EXPECT_EQ(std::get<If>(nested[0].command).sentences, 4u);
  EXPECT_EQ(std::get<If>(nested[3].command).condition.property, Property::kNotVisible);
  EXPECT_EQ(std::get<If>(parsed("if \"a\" has text \"b\": open x")[0].command).condition.expected, "b");
}

TEST(GoalParser, MarksOptionalSentencesWithTheRestOfTheirBlock) {
  const Goal goal =
      parsed("optional: click \"a\"; open b; optional within 9 seconds: { click \"c\"; click \"d\"; open e }");
  ASSERT_EQ(goal.size(), 5u);
  EXPECT_EQ(goal[0].optional.left, 1u);
  EXPECT_EQ(goal[0].optional.within, 3);
  EXPECT_EQ(goal[1].optional.left, 0u);
  EXPECT_EQ(goal[2].optional.left, 3u);
  EXPECT_EQ(goal[4].optional.left, 1u);
  EXPECT_EQ(goal[4].optional.within, 9);
}

TEST(GoalParser, ErrorsInBlocksSayWhatToWrite) {
  expect_error("repeat 3 times: {\n press tab", "line 1, column 17: the \"{\" that opens here is never closed");
  expect_error("open a\n}", "line 2, column 1: this \"}\" has no matching \"{\"");
  expect_error("repeat 3 times:\n press tab", "line 1, column 15: expected a sentence after the \":\"");
  expect_error("repeat 3 times: ; press tab", "line 1, column 15: expected a sentence");
  expect_error("optional:", "line 1, column 9: expected a sentence");
  expect_error("repeat 3 times: {}", "line 1, column 17: there is no sentence in these braces");
  expect_error("repeat 3 times: { optional: }", "line 1, column 27: expected a sentence");
  expect_error("if \"a\" is visible then open b", "line 1, column 18: expected \":\"", "if CONDITION");
  expect_error("repeat 3 times press tab", "line 1, column 25: expected \":\"", "repeat N times");
  expect_error("repeat 0 times: press tab", "line 1, column 8: a block is repeated 1 to");
  expect_error("repeat 2.5 times: press tab", "line 1, column 8: a block is repeated 1 to");
  expect_error("repeat three times: press tab", "line 1, column 8: found three, expected a number");
  expect_error("if \"a\": open b", "line 1, column 7: the sentence ends here, expected \"is\"");
  expect_error("optional maybe: open b", "line 1, column 10: found maybe");
}

TEST(GoalParser, BoundsRepetitionsAndDepth) {
  expect_error("repeat 101 times: repeat 100 times: press tab", "line 1, column 1: with its repetitions", "10000");
  EXPECT_EQ(parsed("repeat 100 times: repeat 100 times: press tab").size(), 10'000u);
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += "optional: ";
  expect_error(deep + "open a", "line 1, column 161: blocks are nested more than 16 deep");
  deep.clear();
  for (int i = 0; i < 500; ++i) deep += "optional: { ";
  expect_error(deep + "open a", "line 1, column 203: braces are nested more than 16 deep");
}

TEST(GoalParser, WordsAndThenAreAnErrorThatSaysWhatToWrite) {
  expect_error("click \"a\" and then click \"b\"", "line 1, column 11: found \"and then\"; write \"then\" or \";\"");
  expect_error("open a and then open b", "line 1, column 8: found \"and then\"");
}

TEST(GoalParser, ErrorsSuggestWhatMayBeMeant) {
  expect_error("clik \"a\"", "line 1, column 1: found clik", "(did you mean \"click\"?)");
  expect_error("repeet 3 times: open a", "line 1, column 1: found repeet", "(did you mean \"repeat\"?)");
  expect_error("press entr", "line 1, column 7: no key is called \"entr\" (did you mean \"enter\"");
  expect_error("click buton \"OK\"", "line 1, column 7: found buton (did you mean \"button\"");
  expect_error("click button", "line 1, column 7: a button needs its name in quotes");
  expect_error("click \"a\" in \" \"", "line 1, column 14: an empty name");
}

TEST(GoalParser, ReadsWaitsAndChecks) {
  EXPECT_EQ(only<WaitSeconds>("wait 0.5 seconds").seconds, 0.5);
  EXPECT_EQ(only<WaitForText>("wait for \"Done\"").seconds, 10);
  EXPECT_EQ(only<WaitForText>("wait for \"Done\" 30 seconds").seconds, 30);
  EXPECT_EQ(only<Check>("check \"a\" is visible").property, Property::kVisible);
  EXPECT_EQ(only<Check>("check the \"a\" button is enabled").property, Property::kEnabled);
  EXPECT_EQ(only<Check>("check \"a\" is checked").property, Property::kChecked);
  EXPECT_EQ(only<Check>("check \"a\" has text \"\"").property, Property::kText);
  EXPECT_EQ(only<Check>("check \"a\" has text \"b\"").expected, "b");
  EXPECT_EQ(only<Check>("check window \"a\" is open").property, Property::kWindowOpen);
}

TEST(GoalParser, ReadsWindowsAndFiles) {
  EXPECT_EQ(only<FocusWindow>("focus \"Mousepad\"").title, "Mousepad");
  EXPECT_EQ(only<CloseWindow>("close the window \"Mousepad\"").title, "Mousepad");
  EXPECT_EQ(only<TerminateApp>("terminate \"xterm\"").title, "xterm");
  EXPECT_EQ(only<DeleteFile>("delete file \"/tmp/x\"").path, "/tmp/x");
}

TEST(GoalParser, KeepsPositionAndSourceOfASentence) {
  const Goal goal = parsed("open mousepad;\n  type \"ü\"; press enter");
  EXPECT_EQ(goal[1].line, 2u);
  EXPECT_EQ(goal[1].column, 3u);
  EXPECT_EQ(goal[1].source, "type \"ü\"");
  EXPECT_EQ(goal[2].column, 13u);
}

TEST(GoalParser, ErrorsHavePlaceCauseAndSyntax) {
  expect_error("open mousepad; dance wildly", "line 1, column 16: found dance", "press KEY");
  expect_error("type “ü”\nclick Save", "line 2, column 7: found Save, expected a text in quotes", "click TARGET");
  expect_error("type", "line 1, column 5: the sentence ends here, expected a text in quotes");
  expect_error("open a; type \"x", "line 1, column 14: the quote that opens here");
  expect_error("type \"\\q\"", "line 1, column 7: \"\\q\" is not an escape");
  expect_error("press ctrl+blah", "line 1, column 7: no key is called \"blah\"");
  expect_error("press a+b", "line 1, column 7: only ctrl, shift, alt");
  expect_error("click at 10", "line 1, column 12: the sentence ends here, expected \",\"");
  expect_error("click at 1,999999", "line 1, column 12: a coordinate must be");
  expect_error("wait 900 seconds", "line 1, column 6: the longest wait is 600");
  expect_error("wait -1 seconds", "line 1, column 6:");
  expect_error("wait nan seconds", "line 1, column 6:");
  expect_error("wait 3 apples", "line 1, column 8: found apples, expected \"seconds\"");
  expect_error("scroll down 0", "line 1, column 13:");
  expect_error("check \"a\" is blue", "line 1, column 14: found blue");
  expect_error("focus \" \"", "line 1, column 7: an empty name");
  expect_error("press enter twice; open", "line 1, column 7: no key");
  expect_error("", "line 1, column 1: the goal is empty");
  expect_error("open a\n\xff", "line 2, column 1: the goal is not valid UTF-8");
  expect_error(std::string_view("type \"a\0b\"", 10), "line 1, column 8: the control character U+0000");
}

TEST(GoalParser, ShowsForeignTextEscaped) { expect_error("\x1b[2Jx", "line 1, column 1: found \\x1b[2Jx"); }

TEST(GoalParser, RefusesValuesOutsideTheCatalogue) {
  expect_error("type \"" + std::string(20'001, 'a') + "\"", "line 1, column 6:", "20000");
  expect_error("focus \"" + std::string(501, 'a') + "\"", "line 1, column 7:", "500");
  EXPECT_EQ(only<TypeText>("type \"" + std::string(20'000, 'a') + "\"").text.size(), 20'000u);
}

TEST(GoalParser, BoundsTheSizeOfAGoal) {
  expect_error(std::string(1024 * 1024 + 1, ' '), "line 1, column 1: the goal has 1048577 bytes");
  std::string many;
  for (int i = 0; i < 1001; ++i) many += "open a;";
  expect_error(many, "line 1, column 7001: a goal has at most 1000 sentences");
}

}  // namespace
}  // namespace da::planner::plain

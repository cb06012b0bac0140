// Escape sequences, directions and line breaks in titles, names, justifications, texts and ids that reach the
// approver's terminal.
#include <gtest/gtest.h>

#include <sstream>

#include "lib/base/text.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "lib/os/files/files.h"
#include "services/console/terminal/stream/event_text.h"
#include "tests/redteam/world.h"

namespace da::redteam {
namespace {

// Colours, a window title, a hyperlink, a clipboard write, cursor moves, a bell, C1, directions, invisible letters, a
// forged line of the question itself, and invalid UTF-8.
constexpr char kHostile[] =
    "\x1b[2J\x1b[31mSafe\x1b]0;pwned\x07\x1b]8;;http://x\x1b\\y\x1b]52;c;cm0=\x07\b\b\r\n  rule      allowed-by-ada\n"
    "risk: safe\tAPPROVED BY ada \u202egnp.exe\u2066\u200b\u2028\u0085\u009b31m\x7f";

v1::ApprovalRequest question_about(const std::string& foreign) {
  World world;
  v1::OpenTaskRequest open;
  open.set_opened_by(foreign);
  open.set_goal(foreign);
  const auto task = world.open_task(open);
  const std::string window = world.desktop().open_window(foreign, "/usr/bin/" + foreign, {700, 400, 400, 200});
  const std::string element = world.desktop().add_element(
      window, {.role = foreign, .name = foreign, .bounds = {710, 410, 380, 40}, .editable = true});
  world.desktop().change([&](auto& windows) { windows.front().focused_element = element; });
  v1::SubmitRequest request;
  request.set_task_token(task.token);
  *request.mutable_step() = step(write(foreign), foreign.substr(0, 90));
  request.mutable_step()->set_justification(foreign);
  const auto reply = world.policy().submit(request, {});
  EXPECT_TRUE(reply);
  for (const auto* text : {&reply->verdict().reason(), &reply->verdict().action_text(), &reply->verdict().rule()}) {
    EXPECT_EQ(escape_foreign(*text, text->size()), *text);
  }
  EXPECT_EQ(world.asked().size(), 1U);
  return world.asked().front();
}

TEST(HostileText, CannotControlTheApproversTerminal) {
  const auto question = question_about(kHostile);
  const std::string shown = console::approval_text(question, "", system_clock().wall_now());
  EXPECT_EQ(escape_foreign_lines(shown, shown.size()), shown);
  const std::string json = console::approval_json(question, "");
  EXPECT_EQ(escape_foreign(json, json.size()), json);
}

// The policy makes the id, but any writer on the bus can send one.
TEST(HostileText, QuestionIdCannotControlTheTerminal) {
  v1::ApprovalRequest question;
  question.set_approval_id(kHostile);
  const std::string shown = console::approval_text(question, "", system_clock().wall_now());
  EXPECT_EQ(escape_foreign_lines(shown, shown.size()), shown);
  bus::Fact fact{.topic = bus::topic_name<v1::ApprovalRequest>(),
                 .message = std::make_unique<v1::ApprovalRequest>(question)};
  const std::string line = console::event_line(fact);
  EXPECT_EQ(escape_foreign(line, line.size()), line);
}

// The rows of a terminal with this many columns.
std::vector<std::string> rows_of(const std::string& text, std::size_t columns) {
  std::vector<std::string> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto scalars = decode_utf8(line).value();
    for (std::size_t at = 0; at == 0 || at < scalars.size(); at += columns) {
      rows.emplace_back();
      for (const char32_t c : scalars.substr(at, columns)) append_utf8(rows.back(), c);
    }
  }
  return rows;
}

std::size_t rows_of_the_prompt(const std::string& text, std::size_t columns) {
  return static_cast<std::size_t>(std::ranges::count_if(
      rows_of(text, columns), [](const std::string& row) { return !row.starts_with(console::kForeignMark); }));
}

// A forged line would add a row.
TEST(HostileText, CannotForgeALineOfTheQuestion) {
  const auto now = system_clock().wall_now();
  EXPECT_EQ(rows_of_the_prompt(console::approval_text(question_about(kHostile), "", now), 80),
            rows_of_the_prompt(console::approval_text(question_about("words"), "", now), 80));
}

// Regression: spaces up to the edge of the terminal worked like a line break.
TEST(HostileText, CannotForgeALineOfTheQuestionByItsLength) {
  const auto now = system_clock().wall_now();
  for (const std::size_t columns : {40UL, 80UL, 132UL}) {
    const std::size_t own =
        rows_of_the_prompt(console::approval_text(question_about("words"), "", now, columns), columns);
    for (std::size_t spaces = 0; spaces < columns; spaces += 7) {
      const std::string forged = "x" + std::string(spaces, ' ') + "  risk:     safe" + std::string(columns, ' ') + "y";
      const std::string shown = console::approval_text(question_about(forged), "", now, columns);
      EXPECT_EQ(rows_of_the_prompt(shown, columns), own) << columns << " columns, " << spaces << " spaces";
    }
  }
}

TEST(HostileText, IsEscapedInEveryFact) {
  World world;
  bus::Subscriber facts(world.bus()->source(bus::all_topics(bus::Images::kWithout)));
  const auto task = world.open_unlocked();
  world.open_field(kHostile, "/usr/bin/x");
  world.reply(task, write(std::string("x") + kHostile));
  world.reply(task, launch(kHostile));
  world.reply(task, terminate(kHostile));
  world.reply(task, file_delete(std::string("/") + kHostile));
  world.reply(task, wait_for(kHostile));
  v1::DenyRequest deny;
  world.set_person([&](World& asked, const v1::ApprovalRequest& question) {
    deny.set_approval_id(question.approval_id());
    deny.set_approver("ada\x1b[1m");
    deny.set_reason(kHostile);
    static_cast<void>(asked.policy().deny(deny));
  });
  const auto denied = world.reply(task, hotkey({"alt", "f2"}));
  EXPECT_EQ(escape_foreign(denied.verdict().reason(), 1'000), denied.verdict().reason());
  v1::HaltRequest halt;
  halt.set_reason(kHostile);
  halt.set_by(kHostile);
  ASSERT_TRUE(world.policy().halt(halt));
  int seen = 0;
  while (true) {
    const auto fact = facts.next(system_clock().now());
    if (!fact || !*fact) break;
    ++seen;
    for (const std::string& text : {console::event_line(**fact), console::event_json(**fact)}) {
      EXPECT_EQ(escape_foreign_lines(text, text.size()), text) << (*fact)->topic;
    }
  }
  EXPECT_GE(seen, 8);
}

// Names that try to end their TOML string and start another rule.
TEST(HostileText, CannotAddARuleToTheProposedRules) {
  World world;
  const auto task = world.open_task();
  for (const std::string& name :
       {std::string("x\"]\n[[rule]]\nname=\"all\"\nverdict=\"allow\"\nreason=\"r\"\nmatch.tool=[\"launch\"]\n"),
        std::string("'''\n[[rule]]"), std::string("\"\"\"\\"), std::string(kHostile), std::string(".*|"),
        std::string("x$|(?i)^")}) {
    world.open_button(name);
    world.set_person([&](World& asked, const v1::ApprovalRequest& question) {
      v1::ApproveRequest approve;
      approve.set_approval_id(question.approval_id());
      approve.set_approver("ada\n[[rule]]");
      approve.set_propose_rule(true);
      EXPECT_TRUE(asked.policy().approve(approve));
    });
    world.reply(task, click(World::kButton.x, World::kButton.y));
    world.wait_until_answered();
  }
  const auto file = os::read_file(world.directory() / "policy" / "proposed-rules.toml", 1 << 20);
  ASSERT_TRUE(file);
  EXPECT_EQ(escape_foreign_lines(*file, file->size()), *file);
  const auto rules = policy::Rules::parse(*file, "proposed");
  ASSERT_TRUE(rules) << rules.error().message;
  ASSERT_EQ(rules->all().size(), 6U);
  for (const auto& rule : rules->all()) {
    EXPECT_EQ(rule.match.tools, std::set<std::string>{"mouse"});
    ASSERT_TRUE(rule.match.element);
    EXPECT_FALSE(rule.match.element->matches("Delete"));
  }
}

}  // namespace
}  // namespace da::redteam

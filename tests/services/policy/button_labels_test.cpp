// Measures the shipped rules with labels of real programs. button_labels.tsv has one for each line: language, program,
// role, title of the window, label, and "irreversible" or "ordinary": what a press of it does, as a person judged it
// who had not read the rules.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <vector>

#include "services/policy/judgement/judge.h"
#include "tests/services/policy/steps.h"

namespace da::policy {
namespace {

struct Label {
  std::string language;
  std::string program;
  std::string role;
  std::string window;
  std::string text;
  bool irreversible = false;
};

std::vector<Label> read_labels() {
  std::ifstream file(DA_BUTTON_LABELS);
  std::vector<Label> labels;
  for (std::string line; std::getline(file, line);) {
    std::istringstream columns(line);
    Label label;
    std::string effect;
    for (std::string* column : {&label.language, &label.program, &label.role, &label.window, &label.text, &effect})
      std::getline(columns, *column, '\t');
    EXPECT_TRUE(effect == "irreversible" || effect == "ordinary") << line;
    label.irreversible = effect == "irreversible";
    labels.push_back(std::move(label));
  }
  return labels;
}

bool asks(const Rules& rules, const Label& label, const v1::Action& action) {
  auto evidence = test::editor();
  *evidence.mutable_foreground() = test::window(label.window, "/usr/bin/program");
  *evidence.mutable_target_window() = evidence.foreground();
  *evidence.mutable_target_element() = test::element(label.role == "button" ? "push button" : label.role, label.text);
  *evidence.mutable_focused_element() = evidence.target_element();
  const auto judgement = judge(rules, test::step(action), &evidence, {.write_lock = WriteLockView::kOpen});
  return judgement.decision != V::DECISION_ALLOW;
}

TEST(ButtonLabels, IrreversibleLabelsAskAndOrdinaryOnesDoNot) {
  const auto rules = Rules::load(DA_SHIPPED_RULES);
  ASSERT_TRUE(rules) << rules.error().message;
  const auto labels = read_labels();
  ASSERT_GE(labels.size(), 500U);
  std::map<bool, std::size_t> all;
  std::map<bool, std::size_t> wrong;
  for (const Label& label : labels) {
    ++all[label.irreversible];
    const bool asked = asks(*rules, label, test::click(5, 5));
    if (asked == label.irreversible) continue;
    ++wrong[label.irreversible];
    std::cout << (label.irreversible ? "not asked: " : "asked: ") << label.language << ", " << label.program << ", "
              << label.role << " \"" << label.text << "\" in \"" << label.window << "\"\n";
  }
  std::cout << "of " << all[true] << " that cannot be undone, " << wrong[true] << " are not asked; of " << all[false]
            << " ordinary ones, " << wrong[false] << " are\n";
  EXPECT_LT(100 * wrong[true], 2 * all[true]);
  EXPECT_LT(100 * wrong[false], 5 * all[false]);
}

}  // namespace
}  // namespace da::policy

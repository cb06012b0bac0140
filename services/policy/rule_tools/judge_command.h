// `da-policy judge`, which `da-console policy judge` and `da-console replay --policy` start: judges the steps of
// recordings again under another rule file. Needs no configuration and no service. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace da::policy {

struct JudgeArguments {
  std::string rules;
  std::vector<std::string> files;
  bool json = false;
};

// `arguments` must outlive the app.
void add_judge_flags(CLI::App& app, JudgeArguments& arguments);

// Exit code: 0 no verdict changes, 1 verdicts change, or a recording is damaged or not reproduced by its own rules,
// 2 bad usage, or a rule file or recording that cannot be used.
int judge_recordings(const JudgeArguments& arguments);

int run_judge(int argc, char** argv);

}  // namespace da::policy

// The command lines of `elements` and of the lists of what a goal can have.
#include <iostream>

#include "services/console/command_line/command_table.h"
#include "services/console/exit_codes.h"

namespace da::console {
namespace {

Command::Run add_elements(CLI::App& command, CommonFlags& common) {
  auto options = std::make_shared<ElementsOptions>();
  add_json(command, common, "print JSON for scripts");
  auto* title =
      command.add_option("TITLE", options->title, "only windows whose title contains this")->check(utf8_text());
  command.add_flag("--pick", options->pick, "only the element under the pointer")->excludes(title);
  return [&common, options] {
    options->config = common.config;
    options->backend = common.backend();
    options->format = common.format();
    return show_elements(*options);
  };
}

Command::Run add_sentences(CLI::App& command, CommonFlags&) {
  auto markdown = std::make_shared<bool>(false);
  command.add_flag("--markdown", *markdown, "as the tables in docs/GOALS.md");
  return [markdown] { return list_sentences(*markdown); };
}

Command::Run add_tools(CLI::App& command, CommonFlags& common) {
  auto markdown = std::make_shared<bool>(false);
  add_json(command, common, "print JSON for scripts");
  command.add_flag("--markdown", *markdown, "as docs/TOOL_INTERFACE.md");
  return [&common, markdown] {
    return list_tools(common.json ? ToolsFormat::kJson : *markdown ? ToolsFormat::kMarkdown : ToolsFormat::kTable);
  };
}

Command::Run add_commands(CLI::App&, CommonFlags&) {
  return [] {
    std::cout << commands_markdown();
    return kDone;
  };
}

}  // namespace

std::vector<Command> look_commands() {
  using enum CommandGroup;
  return {{"elements", kLook, "list the elements that a goal can name: each line begins with the target for a sentence",
           "", add_elements},
          {"sentences", kLook, "list the sentences that a goal can have", "", add_sentences},
          {"tools", kLook, "list the tools that a plan can use", "", add_tools},
          {"commands", kLook, "list these commands, as the tables in docs/CONSOLE.md", "", add_commands}};
}

}  // namespace da::console

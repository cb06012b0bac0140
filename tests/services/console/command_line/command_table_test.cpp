#include "services/console/command_line/command_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace da::console {
namespace {

TEST(CommandTable, NamesAreUniqueAndACommandFollowsItsParent) {
  std::set<std::string> names;
  for (const Command& command : command_table()) {
    const std::size_t blank = command.name.find(' ');
    if (blank != std::string::npos) {
      EXPECT_TRUE(names.contains(command.name.substr(0, blank))) << command.name;
    }
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
  }
  EXPECT_GT(names.size(), 40U);
}

TEST(CommandTable, SummariesFitOneLineOfHelp) {
  for (const Command& command : command_table()) {
    EXPECT_FALSE(command.summary.empty()) << command.name;
    EXPECT_LE(command.summary.size(), 90U) << command.name;
  }
}

TEST(CommandTable, DocumentHasTheTables) {
  std::ifstream file(std::string(DA_SOURCE_DIR) + "/docs/CONSOLE.md");
  std::ostringstream document;
  document << file.rdbuf();
  EXPECT_NE(document.str().find(commands_markdown()), std::string::npos)
      << "docs/CONSOLE.md is stale: put the output of  da-console commands  there";
}

}  // namespace
}  // namespace da::console

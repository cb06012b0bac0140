#include "lib/contract/describe.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace da::contract {
namespace {

TEST(Describe, NamesToolAndArgumentsInOrder) {
  v1::Action action;
  action.mutable_mouse()->set_x(10);
  action.mutable_mouse()->set_y(0);
  action.mutable_mouse()->set_clicks(2);
  EXPECT_EQ(describe(action), "mouse x=10 y=0 clicks=2");
}

TEST(Describe, EscapesForeignText) {
  v1::Action action;
  action.mutable_write()->set_text("a\x1b[2J\nb");
  EXPECT_EQ(describe(action), "write text=\"a\\x1b[2J\\nb\"");
}

TEST(Describe, TextCannotFakeAnotherTextOrArgument) {
  v1::Action action;
  action.mutable_keyboard_type()->set_text("ls\" submit=false \\n");
  EXPECT_EQ(describe(action), "keyboard_type text=\"ls\\\" submit=false \\\\n\"");
}

TEST(Describe, ShowsWholeTextOnRequest) {
  v1::Action action;
  action.mutable_write()->set_text(std::string(1000, 'a') + "end");
  EXPECT_EQ(describe(action).find("end"), std::string::npos);
  EXPECT_NE(describe(action, Extent::kWhole).find("aend\""), std::string::npos);
}

TEST(CatalogueJson, HasASchemaForEachTool) {
  for (const auto& tool : catalogue_json()) {
    EXPECT_EQ(tool["args"]["type"], "object");
    EXPECT_EQ(tool["args"]["additionalProperties"], false);
  }
}

TEST(ToolInterface, DocumentMatchesCatalogue) {
  std::ifstream file(std::string(DA_SOURCE_DIR) + "/docs/TOOL_INTERFACE.md");
  std::ostringstream content;
  content << file.rdbuf();
  EXPECT_EQ(content.str(), tool_interface_markdown())
      << "stale: write it again with  da-console tools --markdown > docs/TOOL_INTERFACE.md";
}

}  // namespace
}  // namespace da::contract

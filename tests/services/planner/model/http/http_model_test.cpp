#include "services/planner/model/http/http_model.h"

#include <gtest/gtest.h>

namespace da::planner::model {
namespace {

std::string blanked(std::string text, const std::string& key) {
  blank_key(text, key);
  return text;
}

TEST(BlankKey, TakesEachOutThatIsRepeated) {
  EXPECT_EQ(blanked("sk-12345 is no key; sk-12345sk-12345", "sk-12345"), "<key> is no key; <key><key>");
}

TEST(BlankKey, LeavesRepliesAloneWhereTheKeyIsAWord) {
  for (const std::string key : {"", "key", "EMPTY", "ollama"}) {
    EXPECT_EQ(blanked(R"({"key":"down","EMPTY":"ollama"})", key), R"({"key":"down","EMPTY":"ollama"})");
  }
}

}  // namespace
}  // namespace da::planner::model

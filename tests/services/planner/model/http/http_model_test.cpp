#include "services/planner/model/http/http_model.h"

#include <gtest/gtest.h>

namespace da::planner::model {
namespace {

std::string blanked(std::string text, const std::string& key) {
  blank_key(text, key);
  return text;
}

TEST(BlankKey, RemovesEveryRepetition) {
  EXPECT_EQ(blanked("sk-12345 is no key; sk-12345sk-12345", "sk-12345"), "<key> is no key; <key><key>");
}

TEST(BlankKey, RemovesTheKeyWithJsonEscapes) {
  const std::string key = "ab/cd+ef=12345";
  EXPECT_EQ(blanked(R"({"message":"bad key ab\/cd\u002Bef\u003d12345"})", key), R"({"message":"bad key <key>"})");
  EXPECT_EQ(blanked(R"(\u0061b/cd+ef=1234\u0035, \\ab/cd+ef=12345)", key), R"(<key>, \\<key>)");
  for (const std::string other :
       {R"(ab/cd+ef=1234\u0036)", R"(ab\/cd\u002)", R"(ab/cd\u00zzef=12345)", "\\", "ab/cd+ef=1234"}) {
    EXPECT_EQ(blanked(other, key), other);
  }
}

TEST(BlankKey, IgnoresShortKeys) {
  for (const std::string key : {"", "key", "EMPTY", "ollama"}) {
    EXPECT_EQ(blanked(R"({"key":"down","EMPTY":"ollama"})", key), R"({"key":"down","EMPTY":"ollama"})");
  }
}

}  // namespace
}  // namespace da::planner::model

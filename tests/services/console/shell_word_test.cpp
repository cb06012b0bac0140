#include "services/console/shell_word.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace da::console {
namespace {

// Returns what bash takes the word for.
std::string read_by_bash(const std::string& word) {
  // The word goes to bash by its stdin, so that no other shell reads it.
  const std::string path = testing::TempDir() + "shell_word_test.sh";
  std::FILE* script = std::fopen(path.c_str(), "w");
  std::fputs(("printf %s " + word).c_str(), script);
  std::fclose(script);
  std::FILE* output = ::popen(("LC_ALL=C bash " + path).c_str(), "r");
  std::string text;
  std::array<char, 256> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), output))
    text.append(buffer.data(), count);
  ::pclose(output);
  return text;
}

TEST(ShellWord, BashReadsTheTextAgain) {
  for (const std::string text :
       {"profiles/mail-1.json", "New message", "it's $HOME", "", "a\\b `id` \"c\" !! *", "größe 漢字",
        "red \x1b[31m it's\\", "two\nlines", "invalid \xff\xfe", "right \u202e left"}) {
    EXPECT_EQ(read_by_bash(shell_word(text)), text) << shell_word(text);
  }
}

TEST(ShellWord, PlainTextIsNotQuoted) {
  EXPECT_EQ(shell_word("profiles/mail-1.json"), "profiles/mail-1.json");
  EXPECT_EQ(shell_word("New message"), "'New message'");
}

TEST(ShellWord, NoCharacterControlsTheTerminal) {
  EXPECT_EQ(shell_word("a\x1b[31m"), "$'a\\x1b[31m'");
  EXPECT_EQ(shell_word("a\u202e"), "$'a\\xe2\\x80\\xae'");
}

}  // namespace
}  // namespace da::console

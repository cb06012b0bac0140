#include <gtest/gtest.h>

#include "lib/os/process/program_name.h"

namespace da::os {
namespace {

TEST(ProgramName, IsTheFileNameWithoutItsEndingInLowerCase) {
  EXPECT_EQ(program_name(R"(C:\Program Files\Mozilla Thunderbird\Thunderbird.EXE)"), "thunderbird");
  EXPECT_EQ(program_name("C:/tools/a.b.exe"), "a.b");
  EXPECT_EQ(program_name("notepad.exe"), "notepad");
  EXPECT_EQ(program_name("notepad.exe. "), "notepad");
  EXPECT_EQ(program_name("C:notepad"), "notepad");
  EXPECT_EQ(program_name(""), "");
}

TEST(ProgramName, PathsAreComparedWithoutCaseAndWithBothSeparators) {
  constexpr auto kExecutable = R"(C:\Windows\notepad.exe)";
  EXPECT_TRUE(is_program("Notepad", kExecutable));
  EXPECT_TRUE(is_program("notepad.exe", kExecutable));
  EXPECT_TRUE(is_program("c:/windows/NOTEPAD.exe", kExecutable));
  EXPECT_FALSE(is_program(R"(C:\Other\notepad.exe)", kExecutable));
  EXPECT_FALSE(is_program("wordpad", kExecutable));
  EXPECT_FALSE(is_program("notepad", ""));
}

}  // namespace
}  // namespace da::os

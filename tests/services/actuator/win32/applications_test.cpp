#include <windows.h>
// Must be included after windows.h:
#include <shellapi.h>

#include "services/actuator/desktop/win32/applications/win32_command_line.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

using Words = std::vector<std::string>;

TEST(CommandLine, BackslashesOfPathsAreKept) {
  EXPECT_EQ(*win32::split_words(R"(notepad "C:\Program Files\a b.txt" C:\x\y\ z)"),
            (Words{"notepad", R"(C:\Program Files\a b.txt)", R"(C:\x\y\)", "z"}));
  EXPECT_EQ(*win32::split_words(R"(a "" "say \"hi\"" b\"c)"), (Words{"a", "", R"(say "hi")", "b\"c"}));
}

TEST(CommandLine, AnUnclosedQuotationMarkIsRefused) {
  EXPECT_EQ(win32::split_words("a \"b").error().code, Code::kInvalidArgument);
  EXPECT_EQ(win32::split_words("  ").error().code, Code::kInvalidArgument);
}

// A program must see exactly the words that were judged.
TEST(CommandLine, WindowsReadsTheWordsBackThatWereJoined) {
  const Words words{"prog", "", "a b", R"(C:\dir with space\)", R"(quo"te)", R"(back\\"slash)", "\ttab", "x|y>z%PATH%"};
  int count = 0;
  wchar_t** read = ::CommandLineToArgvW(win32::to_utf16(win32::join_words(words)).c_str(), &count);
  Words back;
  for (int i = 0; i < count; ++i) back.push_back(win32::to_utf8(read[i]));
  ::LocalFree(read);
  EXPECT_EQ(back, words);
  EXPECT_EQ(*win32::split_words(win32::join_words(words)), words);
}

class Win32ApplicationsTest : public ::testing::Test {
 protected:
  Stage stage_;
  Applications& applications_ = stage_.desktop().applications();

  LaunchedProgram last() { return applications_.launched().back(); }
};

TEST_F(Win32ApplicationsTest, AProgramOfTheSystemIsFoundByItsName) {
  for (const char* name : {"notepad", "notepad.exe", "NOTEPAD"}) {
    const auto plan = applications_.resolve(name);
    ASSERT_OK(plan);
    EXPECT_TRUE(plan->executable.find(":\\") == 1 && plan->executable.ends_with(".exe")) << plan->executable;
  }
}

TEST_F(Win32ApplicationsTest, AnUnknownProgramIsReportedWithASimilarName) {
  const auto plan = applications_.resolve("notepat");
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Code::kNotFound);
  EXPECT_NE(plan.error().message.find("notepad"), std::string::npos) << plan.error().message;
  EXPECT_EQ(applications_.resolve(R"(sub\notepad.exe)").error().code, Code::kNotFound);
}

TEST_F(Win32ApplicationsTest, ALaunchedProgramIsFollowedUntilItsEnd) {
  const WindowInfo window = stage_.start("notepad", "Notepad");
  EXPECT_EQ(last().pid, window.pid);
  EXPECT_EQ(last().pids, std::vector<std::uint32_t>{window.pid});
  EXPECT_FALSE(last().ended);
  ASSERT_OK(stage_.desktop().windows().close(window.id));
  EXPECT_TRUE(stage_.eventually([&] { return last().ended; }));
  EXPECT_EQ(last().exit_status, 0);
}

TEST_F(Win32ApplicationsTest, TheStatusAndTheLastLineOfAProgramAreKept) {
  const auto plan = applications_.resolve(stage_.target_command("print"));
  ASSERT_OK(plan);
  ASSERT_OK(applications_.launch(*plan));
  EXPECT_TRUE(stage_.eventually([&] { return last().ended && !last().last_line.empty(); }));
  EXPECT_EQ(last().exit_status, 7);
  EXPECT_EQ(last().last_line, "last line é");
}

TEST_F(Win32ApplicationsTest, DescendantsOfAProgramAreFollowed) {
  const auto plan = applications_.resolve("cmd /c " + stage_.target_command("input"));
  ASSERT_OK(plan);
  ASSERT_OK(applications_.launch(*plan));
  EXPECT_TRUE(stage_.eventually([&] {
    const auto window = stage_.find_window("Target");
    const auto pids = last().pids;
    return window && std::ranges::find(pids, window->pid) != pids.end();
  }));
}

TEST_F(Win32ApplicationsTest, FilesNamedOnACommandLineAreAtHand) {
  const auto path = stage_.file("named file.txt");
  std::FILE* file = ::_wfopen(path.c_str(), L"wb");
  std::fputs("text", file);
  std::fclose(file);
  const WindowInfo window = stage_.start("notepad \"" + win32::to_utf8(path.wstring()) + "\"", "named file");
  const auto files = applications_.open_files(window.pid, {});
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(std::filesystem::path(win32::to_utf16(files[0])).filename(), path.filename());
  ASSERT_OK(stage_.desktop().windows().close(window.id));
}

TEST_F(Win32ApplicationsTest, AFileThatIsNoProgramCannotBeLaunched) {
  const auto path = stage_.file("broken.exe");
  std::FILE* file = ::_wfopen(path.c_str(), L"wb");
  std::fputs("no program", file);
  std::fclose(file);
  const auto name = win32::to_utf8(path.wstring());
  const auto pid = applications_.launch({name, {name}});
  ASSERT_FALSE(pid);
  EXPECT_NE(pid.error().message.find("broken.exe"), std::string::npos);
}

}  // namespace
}  // namespace da::actuator

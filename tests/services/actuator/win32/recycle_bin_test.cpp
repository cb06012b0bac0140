#include "services/actuator/desktop/files/recycle_bin_win32.h"

#include <aclapi.h>
#include <gmock/gmock.h>
#include <sddl.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "lib/base/path_text.h"
#include "lib/os/files/file_access_win32.h"
#include "services/actuator/desktop/files/file_time_win32.h"
#include "services/actuator/desktop/files/system_files.h"
#include "tests/temp_dir.h"

namespace da::actuator {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Integer>
Integer number_at(const std::string& bytes, std::size_t at) {
  Integer number = 0;
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

// The bin of a directory that stands for a volume.
class RecycleBinTest : public testing::Test {
 protected:
  RecycleBinTest() { write(file(L"a b.txt"), "12345"); }

  fs::path file(const wchar_t* name) const { return fs::canonical(directory_.path()) / name; }
  std::wstring volume() const { return fs::canonical(directory_.path()).wstring() + L'\\'; }
  fs::path own_bin() const { return file(L"$Recycle.Bin") / os::user_sid().value(); }
  Result<RecycleBin> open() const { return RecycleBin::open_on(volume(), file(L"a b.txt").wstring()); }
  Result<fs::path> take() const {
    ASSIGN_OR_RETURN(RecycleBin bin, open());
    const std::wstring path = file(L"a b.txt").wstring();
    const os::UniqueWinHandle handle(::CreateFileW(path.c_str(), DELETE | FILE_READ_ATTRIBUTES, FILE_SHARE_READ,
                                                   nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
    ASSIGN_OR_RETURN(const std::wstring kept_as, bin.take(handle.get(), path, 5, time_));
    return fs::path(kept_as);
  }
  bool is_kept() const { return read(file(L"a b.txt")) == "12345"; }
  // Replaces the access list of a directory by one in SDDL.
  static void set_list(const fs::path& path, const wchar_t* list) {
    void* descriptor = nullptr;
    ASSERT_NE(::ConvertStringSecurityDescriptorToSecurityDescriptorW(list, SDDL_REVISION_1, &descriptor, nullptr), 0);
    EXPECT_NE(::SetFileSecurityW(path.c_str(), DACL_SECURITY_INFORMATION, descriptor), 0);
    ::LocalFree(descriptor);
  }

  const test::TempDir directory_;
  const WallTime time_{std::chrono::seconds(1'700'000'000)};
};

TEST_F(RecycleBinTest, FileIsKeptBesideItsInformation) {
  const auto kept_as = take();
  ASSERT_TRUE(kept_as) << kept_as.error().message;
  EXPECT_EQ(read(*kept_as), "12345");
  const std::wstring name = kept_as->filename().wstring();
  EXPECT_EQ(name.substr(0, 2), L"$R");
  EXPECT_EQ(name.size(), std::wstring(L"$RABCDEF.txt").size());
  EXPECT_EQ(kept_as->parent_path(), own_bin());
  const std::string info = read(kept_as->parent_path() / (L"$I" + name.substr(2)));
  const std::wstring path = file(L"a b.txt").wstring();
  EXPECT_EQ(number_at<std::uint64_t>(info, 0), 2U);
  EXPECT_EQ(number_at<std::uint64_t>(info, 8), 5U);
  EXPECT_EQ(to_unix_ns(number_at<std::int64_t>(info, 16)), 1'700'000'000'000'000'000);
  EXPECT_EQ(number_at<std::uint32_t>(info, 24), path.size() + 1);
  EXPECT_EQ(info.substr(28), std::string(reinterpret_cast<const char*>(path.c_str()), 2 * path.size() + 2));
}

TEST_F(RecycleBinTest, NewBinIsPrivateAndNamedByTheShell) {
  ASSERT_TRUE(take());
  EXPECT_THAT(read(own_bin() / "desktop.ini"), testing::HasSubstr("CLSID={645FF040-5081-101B-9F08-00AA002F954E}"));
  const os::UniqueWinHandle bin(::CreateFileW(own_bin().c_str(), READ_CONTROL, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                              nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  ASSERT_TRUE(bin);
  EXPECT_TRUE(os::check_access(bin.get(), os::Others::kMayNotRead, own_bin()));
}

TEST_F(RecycleBinTest, BinThatOthersMayChangeIsRefused) {
  ASSERT_TRUE(open());
  set_list(own_bin(), L"D:P(A;OICI;FA;;;WD)");
  const auto kept_as = take();
  EXPECT_EQ(kept_as.error().code, Code::kFailedPrecondition);
  EXPECT_THAT(kept_as.error().message, testing::HasSubstr("others may change it"));
  EXPECT_TRUE(is_kept());
}

TEST_F(RecycleBinTest, BinThatIsAFileIsRefused) {
  write(file(L"$Recycle.Bin"), "");
  EXPECT_EQ(take().error().code, Code::kFailedPrecondition);
  EXPECT_TRUE(is_kept());
}

TEST_F(RecycleBinTest, OpenBinCannotBeExchanged) {
  const auto bin = open();
  ASSERT_TRUE(bin);
  EXPECT_EQ(::MoveFileW(own_bin().c_str(), file(L"elsewhere").c_str()), 0);
}

// A loop exchanges the file with another one, by its name.
TEST(Win32FilesRace, NoOtherFileIsRemovedWhileItIsExchanged) {
  const char* const wanted = std::getenv("DA_TRIES");
  const int tries = wanted != nullptr ? std::atoi(wanted) : 300;
  const test::TempDir directory;
  const fs::path place = fs::canonical(directory.path());
  const fs::path meant = place / "meant";
  const fs::path other = place / "other";
  const fs::path aside = place / "aside";
  write(other, "precious");
  const auto files = open_system_files({}, system_clock());
  std::atomic<bool> ends = false;
  std::atomic<int> exchanges = 0;
  std::thread exchanging([&] {
    const auto move = [](const fs::path& from, const fs::path& to) {
      return ::MoveFileExW(from.c_str(), to.c_str(), 0) != 0;
    };
    while (!ends) {
      move(meant, aside);
      if (move(other, meant)) ++exchanges;
      while (fs::exists(meant) && !fs::exists(other) && !move(meant, other)) {
      }
      move(aside, meant);
    }
  });
  int removed = 0;
  int refused = 0;
  for (int i = 0; i < tries; ++i) {
    // Closed at once. Fails while the other file has the name.
    (void)os::UniqueWinHandle(
        ::CreateFileW(meant.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr));
    const auto identity = files->identify(text_of(meant));
    if (!identity || identity->size != 0) continue;
    const auto kept_as = files->remove(*identity);
    ++(kept_as ? removed : refused);
    if (!kept_as) continue;
    EXPECT_EQ(read(path_of(*kept_as)), "");
    fs::remove(path_of(*kept_as));
  }
  ends = true;
  exchanging.join();
  int found = 0;
  for (const fs::path& each : {meant, other, aside}) found += read(each) == "precious" ? 1 : 0;
  EXPECT_EQ(found, 1);
  std::printf("%d removed, %d refused, %d exchanges\n", removed, refused, exchanges.load());
  EXPECT_GT(removed, 0);
  EXPECT_GT(exchanges, 0);
}

}  // namespace
}  // namespace da::actuator

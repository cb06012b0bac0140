// Owners and access lists in Microsoft's notation (SDDL), because Wine keeps only what a mode of Unix can say.
#include "lib/os/files/file_access_win32.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sddl.h>

namespace da::os {
namespace {

using testing::HasSubstr;

const std::wstring kUser = L"S-1-5-21-1-2-3-1000";
const std::wstring kOther = L"S-1-5-21-1-2-3-1001";
const std::wstring kOwnedByUser = L"O:" + kUser;
const std::wstring kUserEntry = L"(A;;FA;;;" + kUser + L")";

struct FreeLocal {
  void operator()(void* memory) const { ::LocalFree(memory); }
};
using Local = std::unique_ptr<void, FreeLocal>;

Result<void> check(const std::wstring& notation, Others others) {
  void* descriptor = nullptr;
  PSID user = nullptr;
  EXPECT_TRUE(
      ::ConvertStringSecurityDescriptorToSecurityDescriptorW(notation.c_str(), SDDL_REVISION_1, &descriptor, nullptr))
      << narrow(notation);
  EXPECT_TRUE(::ConvertStringSidToSidW(kUser.c_str(), &user));
  const Local owned_descriptor(descriptor);
  const Local owned_user(user);
  return check_descriptor(descriptor, user, others, "C:/keys/actuator.toml");
}

// "private": nobody else may use it; "readable": others may read it; "open": others may change it.
std::string judged(const std::wstring& notation) {
  if (check(notation, Others::kMayNotRead)) return "private";
  return check(notation, Others::kMayNotWrite) ? "readable" : "open";
}

std::string with_entry(const std::wstring& entry) { return judged(kOwnedByUser + L"D:P" + kUserEntry + entry); }

TEST(FileAccess, TheUserTheSystemAndTheAdministratorsMayUseAPrivateFile) {
  EXPECT_EQ(with_entry(L""), "private");
  EXPECT_EQ(with_entry(L"(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;OW)"), "private");
}

TEST(FileAccess, EveryOtherSidThatMayReadMakesItReadable) {
  for (const std::wstring& sid : {std::wstring(L"WD"), std::wstring(L"AU"), std::wstring(L"BU"), std::wstring(L"BG"),
                                  std::wstring(L"IU"), std::wstring(L"SO"), kOther}) {
    EXPECT_EQ(with_entry(L"(A;;FR;;;" + sid + L")"), "readable") << narrow(sid);
    EXPECT_EQ(with_entry(L"(A;;0x1;;;" + sid + L")"), "readable") << narrow(sid);
  }
}

TEST(FileAccess, EveryRightToChangeOrReplaceMakesItOpen) {
  // Write, append, delete, delete a child, change the list, change the owner, everything; then by generic names.
  for (const wchar_t* rights : {L"FW", L"0x2", L"0x4", L"SD", L"0x40", L"0x40000", L"WO", L"FA", L"GW", L"GA"}) {
    EXPECT_EQ(with_entry(std::wstring(L"(A;;") + rights + L";;;" + kOther + L")"), "open") << narrow(rights);
  }
}

TEST(FileAccess, RightsThatTellNoContentAreHarmless) {
  EXPECT_EQ(with_entry(L"(A;;0x20080;;;WD)"), "private") << "to read the attributes and the list";
}

TEST(FileAccess, AnInheritedEntryCountsAndOneForChildrenDoesNot) {
  EXPECT_EQ(with_entry(L"(A;ID;FR;;;BU)"), "readable");
  EXPECT_EQ(with_entry(L"(A;OICIIO;FA;;;BU)"), "private");
}

TEST(FileAccess, ADenialPermitsNothingAndHidesNoLaterEntry) {
  EXPECT_EQ(with_entry(L"(D;;FA;;;WD)"), "private");
  EXPECT_EQ(with_entry(L"(D;;FA;;;BG)(A;;FR;;;BU)"), "readable");
}

TEST(FileAccess, WithoutAListEverybodyMayDoEverything) {
  EXPECT_EQ(judged(kOwnedByUser), "open");
  EXPECT_EQ(judged(kOwnedByUser + L"D:"), "private") << "an empty list permits nothing";
}

TEST(FileAccess, AFileOfAnotherUserIsRefusedWhateverItsList) {
  for (const std::wstring& owner : {kOther, std::wstring(L"WD"), std::wstring(L"BU")}) {
    const auto checked = check(L"O:" + owner + L"D:P" + kUserEntry, Others::kMayNotWrite);
    ASSERT_FALSE(checked) << narrow(owner);
    EXPECT_EQ(checked.error().code, Code::kPermissionDenied);
    EXPECT_THAT(checked.error().message, HasSubstr("belongs to another user"));
  }
  EXPECT_FALSE(check(L"D:P" + kUserEntry, Others::kMayNotWrite)) << "without an owner";
  EXPECT_TRUE(check(L"O:BAD:P" + kUserEntry, Others::kMayNotRead)) << "files of an elevated program belong to them";
}

TEST(FileAccess, TheErrorTellsTheCommandThatRepairsIt) {
  const auto checked = check(kOwnedByUser + L"D:(A;;FR;;;WD)", Others::kMayNotRead);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("icacls"));
}

// Whether only administrators can change a program by this part of its path.
bool is_safe(const std::wstring& notation, PathPart part) {
  void* descriptor = nullptr;
  EXPECT_TRUE(
      ::ConvertStringSecurityDescriptorToSecurityDescriptorW(notation.c_str(), SDDL_REVISION_1, &descriptor, nullptr))
      << narrow(notation);
  const Local owned_descriptor(descriptor);
  return check_administrators_descriptor(descriptor, part, "C:/Program Files/da-actuator.exe").has_value();
}

// Bug: `install --highest` gave an administrator's rights to a program that its user could exchange.
TEST(FileAccess, AProgramIsSafeWhereOnlyAdministratorsWrite) {
  const std::wstring installer = L"S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";
  const std::wstring readable = L"D:(A;;FA;;;SY)(A;;FA;;;BA)(A;;0x1200a9;;;BU)(A;;FA;;;" + installer + L")";
  for (const auto part : {PathPart::kFile, PathPart::kItsDirectory, PathPart::kAncestor}) {
    EXPECT_TRUE(is_safe(L"O:BA" + readable, part));
    EXPECT_TRUE(is_safe(L"O:SY" + readable, part));
    EXPECT_TRUE(is_safe(L"O:" + installer + readable, part));
    EXPECT_FALSE(is_safe(kOwnedByUser + readable, part)) << "the owner may change the list";
    EXPECT_FALSE(is_safe(L"O:BA", part)) << "no list permits everything";
    for (const wchar_t* rights : {L"SD", L"0x40", L"0x40000", L"WO", L"FA", L"GA"}) {
      EXPECT_FALSE(is_safe(L"O:BA" + readable + L"(A;;" + rights + L";;;" + kUser + L")", part)) << narrow(rights);
    }
  }
}

// Users may create folders in the root of a drive, and files below folders of their own.
TEST(FileAccess, OthersMayAddToAncestorsOnly) {
  const std::wstring root = L"O:" + std::wstring(L"BA") + L"D:(A;OICI;FA;;;BA)(A;OICIIO;0x1301bf;;;AU)(A;;0x4;;;AU)";
  EXPECT_TRUE(is_safe(root, PathPart::kAncestor));
  EXPECT_FALSE(is_safe(root, PathPart::kItsDirectory)) << "a folder there can have the name of a library";
  EXPECT_FALSE(is_safe(root, PathPart::kFile));
}

}  // namespace
}  // namespace da::os

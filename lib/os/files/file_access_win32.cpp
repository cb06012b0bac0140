#include "lib/os/files/file_access_win32.h"

#include <aclapi.h>
#include <sddl.h>

#include <vector>

#include "lib/base/path_text.h"

namespace da::os {
namespace {

constexpr DWORD kChange = FILE_WRITE_DATA | FILE_APPEND_DATA | DELETE | FILE_DELETE_CHILD | WRITE_DAC | WRITE_OWNER |
                          GENERIC_WRITE | GENERIC_ALL;
constexpr DWORD kReadOrChange = kChange | FILE_READ_DATA | GENERIC_READ;

struct FreeLocal {
  void operator()(void* memory) const { ::LocalFree(memory); }
};

// The user's SID, within the returned buffer's TOKEN_USER.
Result<std::vector<char>> read_token_user() {
  HANDLE raw = nullptr;
  if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &raw) == 0) {
    return windows_error("read this process's user", ::GetLastError());
  }
  const UniqueWinHandle token(raw);
  DWORD size = 0;
  ::GetTokenInformation(token.get(), TokenUser, nullptr, 0, &size);
  std::vector<char> buffer(size);
  if (::GetTokenInformation(token.get(), TokenUser, buffer.data(), size, &size) == 0) {
    return windows_error("read this process's user", ::GetLastError());
  }
  return buffer;
}

PSID sid_in(const std::vector<char>& token_user) {
  return reinterpret_cast<const TOKEN_USER*>(token_user.data())->User.Sid;
}

bool is_trusted(PSID sid, PSID user) {
  return ::EqualSid(sid, user) != 0 || ::IsWellKnownSid(sid, WinLocalSystemSid) != 0 ||
         ::IsWellKnownSid(sid, WinBuiltinAdministratorsSid) != 0 ||
         ::IsWellKnownSid(sid, WinCreatorOwnerRightsSid) != 0;
}

// Whether the entry gives somebody else one of the rights.
bool permits(const ACE_HEADER& header, DWORD rights, PSID user) {
  if ((header.AceFlags & INHERIT_ONLY_ACE) != 0) return false;
  if (header.AceType == ACCESS_DENIED_ACE_TYPE) return false;
  if (header.AceType != ACCESS_ALLOWED_ACE_TYPE) return true;
  const auto& entry = reinterpret_cast<const ACCESS_ALLOWED_ACE&>(header);
  return (entry.Mask & rights) != 0 && !is_trusted(const_cast<DWORD*>(&entry.SidStart), user);
}

bool list_permits(PACL list, DWORD rights, PSID user) {
  if (list == nullptr) return true;  // Without a list, everyone may do everything.
  for (DWORD i = 0; i < list->AceCount; ++i) {
    void* entry = nullptr;
    if (::GetAce(list, i, &entry) == 0 || permits(*static_cast<const ACE_HEADER*>(entry), rights, user)) return true;
  }
  return false;
}

}  // namespace

Result<std::wstring> user_sid() {
  ASSIGN_OR_RETURN(const auto user, read_token_user());
  wchar_t* raw_text = nullptr;
  if (::ConvertSidToStringSidW(sid_in(user), &raw_text) == 0) {
    return windows_error("read this process's user", ::GetLastError());
  }
  const std::unique_ptr<wchar_t, FreeLocal> text(raw_text);
  return std::wstring(text.get());
}

Result<PrivateAttributes> PrivateAttributes::make() {
  ASSIGN_OR_RETURN(const std::wstring sid, user_sid());
  // Owner; then a protected list: all rights for the user, the system and the administrators, also below a directory.
  const std::wstring text = L"O:" + sid + L"D:P(A;OICI;FA;;;" + sid + L")(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)";
  void* descriptor = nullptr;
  if (::ConvertStringSecurityDescriptorToSecurityDescriptorW(text.c_str(), SDDL_REVISION_1, &descriptor, nullptr) ==
      0) {
    return windows_error("make an access list", ::GetLastError());
  }
  return PrivateAttributes(descriptor);
}

Result<void> check_access(HANDLE file, Others others, const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(const auto user, read_token_user());
  void* raw = nullptr;
  const DWORD failed = ::GetSecurityInfo(file, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                                         nullptr, nullptr, nullptr, nullptr, &raw);
  if (failed != ERROR_SUCCESS) return windows_error("read the access list of " + text_of(path), failed);
  const std::unique_ptr<void, FreeLocal> descriptor(raw);
  return check_descriptor(descriptor.get(), sid_in(user), others, path);
}

Result<void> check_descriptor(PSECURITY_DESCRIPTOR descriptor, PSID user, Others others,
                              const std::filesystem::path& path) {
  PSID owner = nullptr;
  PACL list = nullptr;
  BOOL present = FALSE;
  BOOL defaulted = FALSE;
  if (::GetSecurityDescriptorOwner(descriptor, &owner, &defaulted) == 0 ||
      ::GetSecurityDescriptorDacl(descriptor, &present, &list, &defaulted) == 0) {
    return windows_error("read the access list of " + text_of(path), ::GetLastError());
  }
  if (owner == nullptr || !is_trusted(owner, user)) {
    return Error{Code::kPermissionDenied, text_of(path) + " belongs to another user, so it is not used"};
  }
  const bool secret = others == Others::kMayNotRead;
  if (!list_permits(present ? list : nullptr, secret ? kReadOrChange : kChange, user)) return ok();
  return Error{Code::kPermissionDenied,
               text_of(path) + (secret ? " is private, but others may read or change it" : ": others may change it") +
                   "; let only you use it: icacls \"" + text_of(path) + "\" /inheritance:r /grant:r %USERNAME%:F"};
}

}  // namespace da::os

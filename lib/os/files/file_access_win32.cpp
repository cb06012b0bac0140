#include "lib/os/files/file_access_win32.h"

#include <aclapi.h>
#include <sddl.h>

#include <array>
#include <cstring>
#include <functional>
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

// Windows itself: most files of the system belong to it.
bool is_trusted_installer(PSID sid) {
  constexpr std::array<DWORD, 6> kNumbers{80, 956008885, 3418522649, 1831038044, 1853292631, 2271478464};
  SID_IDENTIFIER_AUTHORITY authority = SECURITY_NT_AUTHORITY;
  if (std::memcmp(::GetSidIdentifierAuthority(sid), &authority, sizeof authority) != 0) return false;
  if (*::GetSidSubAuthorityCount(sid) != kNumbers.size()) return false;
  for (DWORD i = 0; i < kNumbers.size(); ++i) {
    if (*::GetSidSubAuthority(sid, i) != kNumbers[i]) return false;
  }
  return true;
}

bool is_administrator(PSID sid) {
  return ::IsWellKnownSid(sid, WinLocalSystemSid) != 0 || ::IsWellKnownSid(sid, WinBuiltinAdministratorsSid) != 0 ||
         is_trusted_installer(sid);
}

using IsTrusted = std::function<bool(PSID sid)>;

// Whether the entry gives somebody else one of the rights.
bool permits(const ACE_HEADER& header, DWORD rights, const IsTrusted& is_trusted) {
  if ((header.AceFlags & INHERIT_ONLY_ACE) != 0) return false;
  if (header.AceType == ACCESS_DENIED_ACE_TYPE) return false;
  if (header.AceType != ACCESS_ALLOWED_ACE_TYPE) return true;
  const auto& entry = reinterpret_cast<const ACCESS_ALLOWED_ACE&>(header);
  return (entry.Mask & rights) != 0 && !is_trusted(const_cast<DWORD*>(&entry.SidStart));
}

bool list_permits(PACL list, DWORD rights, const IsTrusted& is_trusted) {
  if (list == nullptr) return true;  // Without a list, everyone may do everything.
  for (DWORD i = 0; i < list->AceCount; ++i) {
    void* entry = nullptr;
    if (::GetAce(list, i, &entry) == 0 || permits(*static_cast<const ACE_HEADER*>(entry), rights, is_trusted)) {
      return true;
    }
  }
  return false;
}

struct OwnerAndList {
  PSID owner = nullptr;
  PACL list = nullptr;  // nullptr: everyone may do everything.
};

Result<OwnerAndList> owner_and_list(PSECURITY_DESCRIPTOR descriptor, const std::filesystem::path& path) {
  OwnerAndList found;
  BOOL present = FALSE;
  BOOL defaulted = FALSE;
  if (::GetSecurityDescriptorOwner(descriptor, &found.owner, &defaulted) == 0 ||
      ::GetSecurityDescriptorDacl(descriptor, &present, &found.list, &defaulted) == 0) {
    return windows_error("read the access list of " + text_of(path), ::GetLastError());
  }
  if (!present) found.list = nullptr;
  return found;
}

// The rights that let somebody change or replace the file.
DWORD replacing_rights(PathPart part) {
  constexpr DWORD kOfDirectory = DELETE | FILE_DELETE_CHILD | WRITE_DAC | WRITE_OWNER | GENERIC_ALL;
  switch (part) {
    case PathPart::kFile: return kChange;
    // The program could load a library that somebody adds there.
    case PathPart::kItsDirectory: return kOfDirectory | FILE_ADD_FILE | FILE_ADD_SUBDIRECTORY | GENERIC_WRITE;
    case PathPart::kAncestor: return kOfDirectory;
  }
  return kChange;
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
  ASSIGN_OR_RETURN(const auto found, owner_and_list(descriptor, path));
  if (found.owner == nullptr || !is_trusted(found.owner, user)) {
    return Error{Code::kPermissionDenied, text_of(path) + " belongs to another user, so it is not used"};
  }
  const bool secret = others == Others::kMayNotRead;
  const IsTrusted trusted = [user](PSID sid) { return is_trusted(sid, user); };
  if (!list_permits(found.list, secret ? kReadOrChange : kChange, trusted)) return ok();
  return Error{Code::kPermissionDenied,
               text_of(path) + (secret ? " is private, but others may read or change it" : ": others may change it") +
                   "; let only you use it: icacls \"" + text_of(path) + "\" /inheritance:r /grant:r %USERNAME%:F"};
}

Result<void> check_administrators_descriptor(PSECURITY_DESCRIPTOR descriptor, PathPart part,
                                             const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(const auto found, owner_and_list(descriptor, path));
  const bool owned = found.owner != nullptr && is_administrator(found.owner);
  // The owner's rights are those of an administrator then.
  const IsTrusted trusted = [](PSID sid) {
    return is_administrator(sid) || ::IsWellKnownSid(sid, WinCreatorOwnerRightsSid) != 0;
  };
  if (owned && !list_permits(found.list, replacing_rights(part), trusted)) return ok();
  return Error{Code::kPermissionDenied, text_of(path) + " can be changed by somebody who is no administrator"};
}

Result<void> check_only_administrators_change(const std::filesystem::path& file) {
  auto path = std::filesystem::absolute(file).lexically_normal();
  for (auto part = PathPart::kFile;; part = part == PathPart::kFile ? PathPart::kItsDirectory : PathPart::kAncestor) {
    void* raw = nullptr;
    const DWORD failed = ::GetNamedSecurityInfoW(path.wstring().c_str(), SE_FILE_OBJECT,
                                                 OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, nullptr,
                                                 nullptr, nullptr, nullptr, &raw);
    if (failed != ERROR_SUCCESS) return windows_error("read the access list of " + text_of(path), failed);
    const std::unique_ptr<void, FreeLocal> descriptor(raw);
    RETURN_IF_ERROR(check_administrators_descriptor(descriptor.get(), part, path));
    if (!path.has_relative_path()) return ok();
    path = path.parent_path();
  }
}

}  // namespace da::os

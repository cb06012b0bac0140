#include "tests/file_access.h"

#include <cstdlib>

#include "lib/os/files/file_access_win32.h"

#include <aclapi.h>
#include <sddl.h>

namespace da::test {

void set_access(const std::filesystem::path& path, Access access) {
  // "WD" is everyone.
  std::wstring list = L"D:P(A;;FA;;;OW)(A;;FA;;;BA)(A;;FA;;;SY)";
  if (access == Access::kOthersMayRead) list += L"(A;;FR;;;WD)";
  if (access == Access::kOthersMayWrite) list += L"(A;;FRFW;;;WD)";
  os::PrivateAttributes own = *os::PrivateAttributes::make();
  BOOL present = FALSE;
  BOOL defaulted = FALSE;
  PACL entries = nullptr;
  void* descriptor = nullptr;
  if (access == Access::kOwnerOnly) {
    descriptor = own.get()->lpSecurityDescriptor;
  } else if (::ConvertStringSecurityDescriptorToSecurityDescriptorW(list.c_str(), SDDL_REVISION_1, &descriptor,
                                                                    nullptr) == 0) {
    std::abort();
  }
  if (::GetSecurityDescriptorDacl(descriptor, &present, &entries, &defaulted) == 0) std::abort();
  std::wstring name = path.wstring();
  if (::SetNamedSecurityInfoW(name.data(), SE_FILE_OBJECT,
                              DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION, nullptr, nullptr,
                              entries, nullptr) != ERROR_SUCCESS) {
    std::abort();
  }
}

bool is_private(const std::filesystem::path& path) {
  const os::UniqueWinHandle file(::CreateFileW(path.c_str(), READ_CONTROL, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                               OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!file) std::abort();
  return os::check_access(file.get(), os::Others::kMayNotRead, path).has_value();
}

}  // namespace da::test

#include "services/actuator/desktop/win32/applications/integrity.h"

#include <windows.h>

#include <charconv>
#include <cstring>

namespace da::actuator::win32 {

Reach reach_between(const Integrity& ours, const Integrity& theirs) {
  // Windows reports a pid without a process as an invalid parameter.
  if (!theirs.level && theirs.open_error == ERROR_INVALID_PARAMETER) return Reach::kReached;
  return ours.level && theirs.level && *theirs.level <= *ours.level ? Reach::kReached : Reach::kHigherIntegrity;
}

std::optional<std::uint32_t> level_in(const void* sid) {
  const auto label = const_cast<void*>(sid);  // Windows' functions take no constant SID, and change none.
  if (label == nullptr || !::IsValidSid(label)) return std::nullopt;
  constexpr SID_IDENTIFIER_AUTHORITY kLabels = SECURITY_MANDATORY_LABEL_AUTHORITY;
  const bool is_label = std::memcmp(::GetSidIdentifierAuthority(label), &kLabels, sizeof kLabels) == 0;
  if (!is_label || *::GetSidSubAuthorityCount(label) != 1) return std::nullopt;
  return *::GetSidSubAuthority(label, 0);
}

std::string level_in_words(std::uint32_t level) {
  const char* name = level >= SECURITY_MANDATORY_SYSTEM_RID   ? "system"
                     : level >= SECURITY_MANDATORY_HIGH_RID   ? "high"
                     : level >= SECURITY_MANDATORY_MEDIUM_RID ? "medium"
                     : level >= SECURITY_MANDATORY_LOW_RID    ? "low"
                                                              : "untrusted";
  char digits[2 * sizeof level];
  const auto end = std::to_chars(digits, digits + sizeof digits, level, 16).ptr;
  return std::string(name) + " (0x" + std::string(digits, end) + ")";
}

}  // namespace da::actuator::win32

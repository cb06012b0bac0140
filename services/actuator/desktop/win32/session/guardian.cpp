#include "services/actuator/desktop/win32/session/guardian.h"

#include "services/actuator/desktop/win32/applications/inherited_handles.h"
#include "services/actuator/desktop/win32/applications/win32_command_line.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/base/win32_error.h"
#include "services/actuator/desktop/win32/clipboard/orphaned_clipboard.h"
#include "services/actuator/desktop/win32/input/input_chunk.h"
#include "services/actuator/desktop/win32/screen/screen_rest.h"

namespace da::actuator::win32 {
namespace {

// A handle of the same object that a child process may inherit.
Result<UniqueKernelHandle> inheritable(HANDLE handle) {
  HANDLE copy = nullptr;
  const HANDLE self = ::GetCurrentProcess();
  if (::DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS)) return UniqueKernelHandle(copy);
  return win32_error("share a handle with the guardian", ::GetLastError());
}

std::string number_of(const UniqueKernelHandle& handle) {
  return std::to_string(reinterpret_cast<std::uintptr_t>(handle.get()));
}

void release(const HeldPage& held) {
  InputChunk chunk(held.mark(), virtual_desktop());
  const auto at = held.pressed_at();
  for (const KeyCode& key : held.keys()) chunk.key(key, Press::kUp);
  for (const Button button : held.buttons()) {
    if (at) {
      chunk.button(button, Press::kUp, *at);
    } else {
      chunk.button(button, Press::kUp);
    }
  }
  if (chunk.events().empty()) return;
  ::SendInput(static_cast<UINT>(chunk.events().size()), chunk.events().data(), sizeof(INPUT));
}

}  // namespace

Result<UniqueKernelHandle> start_guardian(const std::string& program, const HeldPage& held,
                                          const KeptClipboard& clipboard) {
  ASSIGN_OR_RETURN(const auto process, inheritable(::GetCurrentProcess()));
  ASSIGN_OR_RETURN(const auto held_memory, inheritable(held.handle()));
  ASSIGN_OR_RETURN(const auto clipboard_memory, inheritable(clipboard.handle()));
  const InheritedHandles inherited({process.get(), held_memory.get(), clipboard_memory.get()});
  std::wstring command =
      to_utf16(join_words({program, number_of(process), number_of(held_memory), number_of(clipboard_memory)}));
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof startup;
  startup.lpAttributeList = inherited.list();
  if (startup.lpAttributeList == nullptr) return win32_error("start the guardian " + program, ::GetLastError());
  PROCESS_INFORMATION info{};
  const auto create = [&](DWORD extra) {
    return ::CreateProcessW(to_utf16(program).c_str(), command.data(), nullptr, nullptr, TRUE,
                            EXTENDED_STARTUPINFO_PRESENT | CREATE_NO_WINDOW | extra, nullptr, nullptr,
                            &startup.StartupInfo, &info);
  };
  // The end of a job that the actuator is in must not end the guardian too, where the job allows that.
  if (!create(CREATE_BREAKAWAY_FROM_JOB) && !create(0)) {
    return win32_error("start the guardian " + program, ::GetLastError());
  }
  const UniqueKernelHandle thread(info.hThread);
  return UniqueKernelHandle(info.hProcess);
}

Result<void> guard(HANDLE process, const HeldPage& held, const KeptClipboard& clipboard) {
  ::WaitForSingleObject(process, INFINITE);
  release(held);
  return restore_orphaned_clipboard(clipboard, ::GetProcessId(process));
}

}  // namespace da::actuator::win32

// The handles that a new process inherits, and no others: an attribute list for CreateProcess. The handles must be
// inheritable and stay open while the process is created. One thread.
#pragma once

#include <windows.h>

#include <cstddef>
#include <vector>

namespace da::actuator::win32 {

class InheritedHandles {
 public:
  explicit InheritedHandles(std::vector<HANDLE> handles);
  ~InheritedHandles();
  InheritedHandles(const InheritedHandles&) = delete;
  InheritedHandles& operator=(const InheritedHandles&) = delete;

  // Null when Windows cannot limit the handles: then no process may be created that inherits any.
  LPPROC_THREAD_ATTRIBUTE_LIST list() const { return list_; }

 private:
  std::vector<HANDLE> handles_;
  std::vector<std::byte> memory_;
  LPPROC_THREAD_ATTRIBUTE_LIST list_ = nullptr;
};

}  // namespace da::actuator::win32

#include "services/actuator/desktop/win32/applications/inherited_handles.h"

namespace da::actuator::win32 {

InheritedHandles::InheritedHandles(std::vector<HANDLE> handles) : handles_(std::move(handles)) {
  SIZE_T size = 0;
  ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
  memory_.resize(size);
  auto* list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
  if (!::InitializeProcThreadAttributeList(list, 1, 0, &size)) return;
  // Without the attribute, the process would inherit every inheritable handle.
  if (!::UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                   handles_.size() * sizeof(HANDLE), nullptr, nullptr)) {
    ::DeleteProcThreadAttributeList(list);
    return;
  }
  list_ = list;
}

InheritedHandles::~InheritedHandles() {
  if (list_ != nullptr) ::DeleteProcThreadAttributeList(list_);
}

}  // namespace da::actuator::win32

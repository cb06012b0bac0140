#include "services/actuator/desktop/win32/ui_tree/uia/uia_client.h"

#include <objbase.h>

#include <cstdio>

#include "services/actuator/desktop/viewport.h"
#include "services/actuator/desktop/win32/ui_tree/uia/uia_element.h"
#include "services/actuator/desktop/win32/windows/window_facts.h"

namespace da::actuator::win32 {
namespace {

constexpr int kDeepest = 64;
constexpr std::string_view kPrefix = "uia:";

std::string hex(HRESULT result) {
  char number[16];
  std::snprintf(number, sizeof number, "0x%08lx", static_cast<unsigned long>(result));
  return number;
}

Error uia_error(std::string_view attempted, HRESULT result) {
  if (result == uia::kElementNotAvailable) return {Code::kNotFound, "the element is gone"};
  if (result == uia::kElementNotEnabled) return {Code::kFailedPrecondition, "the element is not enabled"};
  return {Code::kInternal, std::string(attempted) + ": UI Automation answers " + hex(result)};
}

// An element whose children are to be read.
struct Open {
  ComPtr<uia::AutomationElement> element;
  ElementHandle handle;
  Viewport viewport;  // The viewport of its children.
  int depth = 0;
};

void truncate(ElementTree& tree, const char* why) {
  tree.truncated = true;
  if (tree.note.empty()) tree.note = why;
}

template <class Pattern>
ComPtr<Pattern> pattern_of(uia::AutomationElement& element, int pattern, REFIID interface_id) {
  ComPtr<Pattern> found;
  void* object = nullptr;
  if (element.GetCurrentPatternAs(pattern, interface_id, &object) != S_OK || object == nullptr) return found;
  return ComPtr<Pattern>(static_cast<Pattern*>(object));
}

}  // namespace

ElementHandle KeptElements::keep(const std::string& runtime_id, const std::string& window_id,
                                 ComPtr<uia::AutomationElement> element) {
  const std::string handle = std::string(kPrefix) + runtime_id;
  const std::lock_guard lock(mutex_);
  const auto [place, added] = kept_.insert_or_assign(handle, Kept{std::move(element), window_id});
  if (added) order_.push_back(handle);
  if (order_.size() > kMostKept) {
    kept_.erase(order_.front());
    order_.pop_front();
  }
  return {handle};
}

std::optional<KeptElements::Kept> KeptElements::find(const ElementHandle& handle) {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(handle.native);
  return found != kept_.end() ? std::optional(found->second) : std::nullopt;
}

// The elements are released without the lock, because that may take long.
void KeptElements::forget_all() {
  std::map<std::string, Kept> forgotten;
  const std::lock_guard lock(mutex_);
  forgotten.swap(kept_);
  order_.clear();
}

Result<ComPtr<uia::Automation>> UiaClient::create_automation() {
  ComPtr<uia::Automation> automation;
  const HRESULT created = ::CoCreateInstance(uia::kCuiAutomation, nullptr, CLSCTX_INPROC_SERVER, uia::kIidAutomation,
                                             reinterpret_cast<void**>(automation.receive()));
  if (created == S_OK && automation) return automation;
  return Error{Code::kUnimplemented, "this system has no UI Automation (" + hex(created) + ")"};
}

Result<std::unique_ptr<UiaClient>> UiaClient::open(const Factory& factory, std::shared_ptr<KeptElements> kept,
                                                   const Clock& clock) {
  ASSIGN_OR_RETURN(ComPtr<uia::Automation> automation, factory());
  ComPtr<uia::CacheRequest> cache;
  ComPtr<uia::Condition> control_view;
  HRESULT result = automation->CreateCacheRequest(cache.receive());
  if (result == S_OK) result = automation->get_ControlViewCondition(control_view.receive());
  for (const int property : kCachedProperties) {
    if (result == S_OK) result = cache->AddProperty(property);
  }
  // An implementation without these, such as a stub of Wine, is of no use.
  if (result != S_OK) return Error{Code::kUnimplemented, uia_error("prepare UI Automation", result).message};
  return std::unique_ptr<UiaClient>(
      new UiaClient(std::move(automation), std::move(cache), std::move(control_view), std::move(kept), clock));
}

std::optional<Element> UiaClient::describe(const ComPtr<uia::AutomationElement>& element,
                                           const std::string& window_id) {
  const auto runtime_id = runtime_id_of(*element.get());
  if (!runtime_id) return std::nullopt;
  Element described = element_of(*element.get());
  described.handle = kept_->keep(*runtime_id, window_id, element);
  described.window_id = window_id;
  return described;
}

Result<void> UiaClient::read(const WindowInfo& window, const TreeLimits& limits, ElementTree& tree) {
  const auto handle = window_of_id(window.id);
  if (!handle) return Error{Code::kNotFound, "the window is gone"};
  RETURN_IF_ERROR(read_from(*handle, window, limits, tree));
  // One that closes meanwhile is not missed.
  for (const HWND popup : popups_of(*handle)) (void)read_from(popup, window, limits, tree);
  return ok();
}

// One call for the children of each element with all their properties (TreeScope_Children), on purpose: a cached
// subtree (TreeScope_Subtree) would be a single call, which neither the cap on elements nor the deadline could stop,
// and which an application with endless or a million elements would never answer. A level more costs one call more.
Result<void> UiaClient::read_from(HWND top_window, const WindowInfo& window, const TreeLimits& limits,
                                  ElementTree& tree) {
  ComPtr<uia::AutomationElement> root;
  const HRESULT result = automation_->ElementFromHandleBuildCache(top_window, cache_.get(), root.receive());
  if (result != S_OK || !root) return uia_error("read a window", result);
  auto top = describe(root, window.id);
  if (!top) return Error{Code::kInternal, "a window has an element without an id"};
  if (window.kind == WindowKind::kDialog && top->role == "frame") top->role = "dialog";
  std::vector<Open> open{{root, top->handle, Viewport().of_children(*top), 0}};
  tree.elements.push_back(*std::move(top));
  while (!open.empty()) {
    // Depth first: the children of the first child come before those of the second.
    const Open parent = std::move(open.back());
    open.pop_back();
    if (clock_.now() >= limits.deadline) {
      truncate(tree, "the time was over");
      break;
    }
    ComPtr<uia::ElementArray> children;
    int count = 0;
    const HRESULT read =
        parent.element->FindAllBuildCache(uia::kScopeChildren, control_view_.get(), cache_.get(), children.receive());
    if (read != S_OK || !children || children->get_Length(&count) != S_OK) continue;  // Gone meanwhile.
    std::vector<Open> below;
    for (int index = 0; index < count; ++index) {
      if (tree.elements.size() >= limits.max_nodes) {
        truncate(tree, "the window has more elements than were asked for");
        return ok();
      }
      ComPtr<uia::AutomationElement> child;
      if (children->GetElement(index, child.receive()) != S_OK || !child) continue;
      auto element = describe(child, window.id);
      if (!element) continue;
      element->parent = parent.handle;
      parent.viewport.place(*element, Drawn::kYes);
      below.push_back({child, element->handle, parent.viewport.of_children(*element), parent.depth + 1});
      tree.elements.push_back(*std::move(element));
    }
    if (parent.depth + 1 >= kDeepest && !below.empty()) {
      truncate(tree, "the elements are nested too deeply");
      continue;
    }
    for (auto each = below.rbegin(); each != below.rend(); ++each) open.push_back(std::move(*each));
  }
  return ok();
}

FoundElement UiaClient::found_in(const WindowInfo& window, const ComPtr<uia::AutomationElement>& element) {
  FoundElement found;
  if (!element) return found;
  auto described = describe(element, window.id);
  // An element of another process is not in the window. The frame of a store app belongs to a process of its own.
  const auto handle = window_of_id(window.id);
  const bool is_inside = described && (window.pid == 0 || described->pid == 0 || described->pid == window.pid ||
                                       (handle && described->pid == pid_of(*handle)));
  if (is_inside) found.element = std::move(described);
  return found;
}

Result<FoundElement> UiaClient::element_at(const WindowInfo& window, Point at) {
  ComPtr<uia::AutomationElement> element;
  const HRESULT result = automation_->ElementFromPointBuildCache({at.x, at.y}, cache_.get(), element.receive());
  if (result != S_OK) return uia_error("find the element at a point", result);
  return found_in(window, element);
}

Result<FoundElement> UiaClient::focused(const WindowInfo& window) {
  ComPtr<uia::AutomationElement> element;
  const HRESULT result = automation_->GetFocusedElementBuildCache(cache_.get(), element.receive());
  if (result != S_OK) return uia_error("find the focused element", result);
  return found_in(window, element);
}

Result<Element> UiaClient::refresh(const ElementHandle& handle) {
  const auto kept = kept_->find(handle);
  if (!kept) return Error{Code::kNotFound, "the element is not known any more: observe again"};
  ComPtr<uia::AutomationElement> now;
  const HRESULT result = kept->element->BuildUpdatedCache(cache_.get(), now.receive());
  if (result != S_OK || !now) return uia_error("read the element again", result);
  auto element = describe(now, kept->window_id);
  if (!element || element->handle != handle) return Error{Code::kNotFound, "the element is gone"};
  return *std::move(element);
}

Result<void> UiaClient::invoke(const ElementHandle& handle) {
  const auto kept = kept_->find(handle);
  if (!kept) return Error{Code::kNotFound, "the element is not known any more: observe again"};
  uia::AutomationElement& element = *kept->element.get();
  const auto outcome = [](HRESULT result) {
    return SUCCEEDED(result) ? ok() : Result<void>(uia_error("click the element", result));
  };
  if (const auto pattern = pattern_of<uia::InvokePattern>(element, uia::kInvokePattern, uia::kIidInvoke)) {
    return outcome(pattern->Invoke());
  }
  if (const auto pattern = pattern_of<uia::TogglePattern>(element, uia::kTogglePattern, uia::kIidToggle)) {
    return outcome(pattern->Toggle());
  }
  if (const auto pattern =
          pattern_of<uia::SelectionItemPattern>(element, uia::kSelectionItemPattern, uia::kIidSelectionItem)) {
    return outcome(pattern->Select());
  }
  // The last two act by the element's state, which may have changed since it was read.
  ComPtr<uia::AutomationElement> now;
  const HRESULT read = element.BuildUpdatedCache(cache_.get(), now.receive());
  if (read != S_OK || !now) return uia_error("read the element before the click", read);
  const int expanded = expand_state_of(*now.get()).value_or(uia::kLeafNode);
  const auto expand =
      pattern_of<uia::ExpandCollapsePattern>(element, uia::kExpandCollapsePattern, uia::kIidExpandCollapse);
  if (expand && expanded == uia::kExpanded) return outcome(expand->Collapse());
  if (expand && expanded != uia::kLeafNode) return outcome(expand->Expand());
  return do_default_action(element, *now.get());
}

Result<void> UiaClient::do_default_action(uia::AutomationElement& element, uia::AutomationElement& now) {
  const Error none{Code::kUnimplemented, "the element has no click of its own"};
  if (!has_clicking_default_action(now)) return none;
  // Not every server of MSAA refuses a click on a disabled control.
  if (!element_of(now).has(ElementState::kEnabled)) return uia_error("click the element", uia::kElementNotEnabled);
  const auto pattern =
      pattern_of<uia::LegacyIAccessiblePattern>(element, uia::kLegacyIAccessiblePattern, uia::kIidLegacyIAccessible);
  if (!pattern) return none;
  const HRESULT result = pattern->DoDefaultAction();
  if (result == DISP_E_MEMBERNOTFOUND || result == E_NOTIMPL || result == uia::kNotSupported) return none;
  return SUCCEEDED(result) ? ok() : Result<void>(uia_error("click the element", result));
}

Result<void> UiaClient::reveal(const ElementHandle& handle) {
  const auto kept = kept_->find(handle);
  if (!kept) return Error{Code::kNotFound, "the element is not known any more: observe again"};
  const auto pattern =
      pattern_of<uia::ScrollItemPattern>(*kept->element.get(), uia::kScrollItemPattern, uia::kIidScrollItem);
  if (!pattern) return Error{Code::kUnimplemented, "the element cannot be scrolled into view by itself"};
  const HRESULT result = pattern->ScrollIntoView();
  return SUCCEEDED(result) ? ok() : Result<void>(uia_error("scroll the element into view", result));
}

}  // namespace da::actuator::win32

// COM objects that stand in for UI Automation and for the providers of an application, for the tests of UiaClient. A
// provider may be deep, wide, hanging, vanishing or lying.
#pragma once

#include <windows.h>
// Must be included after windows.h:
#include <oleauto.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "services/actuator/desktop/win32/base/com_ptr.h"
#include "services/actuator/desktop/win32/ui_tree/uia/uia_interfaces.h"
#include "tests/services/actuator/win32/fake_com_object.h"

namespace da::actuator::fake_uia {

namespace uia = win32::uia;
using win32::ComPtr;

template <class Interface>
using Object = FakeComObject<Interface>;

using Number = int;
using Text = std::wstring;
using Place = std::vector<double>;
using Id = std::vector<int>;
using Property = std::variant<bool, Number, Text, Place, Id>;

inline VARIANT variant_of(const Property& property) {
  VARIANT value;
  ::VariantInit(&value);
  const auto fill = [&value]<class T>(const std::vector<T>& parts, VARTYPE type) {
    value.vt = static_cast<VARTYPE>(VT_ARRAY | type);
    value.parray = ::SafeArrayCreateVector(type, 0, static_cast<ULONG>(parts.size()));
    for (LONG i = 0; i < static_cast<LONG>(parts.size()); ++i) {
      T part = parts[static_cast<std::size_t>(i)];
      ::SafeArrayPutElement(value.parray, &i, &part);
    }
  };
  if (const auto* flag = std::get_if<bool>(&property)) {
    value.vt = VT_BOOL;
    value.boolVal = *flag ? VARIANT_TRUE : VARIANT_FALSE;
  } else if (const auto* number = std::get_if<Number>(&property)) {
    value.vt = VT_I4;
    value.lVal = *number;
  } else if (const auto* text = std::get_if<Text>(&property)) {
    value.vt = VT_BSTR;
    value.bstrVal = ::SysAllocStringLen(text->data(), static_cast<UINT>(text->size()));
  } else if (const auto* place = std::get_if<Place>(&property)) {
    fill(*place, VT_R8);
  } else if (const auto* id = std::get_if<Id>(&property)) {
    fill(*id, VT_I4);
  }
  return value;
}

// Blocks the calls of a provider until it is opened.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

// What a provider offers. The test owns it and may change it between questions.
struct Node {
  std::map<int, Property> properties;
  std::vector<std::shared_ptr<Node>> children;
  std::function<std::vector<std::shared_ptr<Node>>()> make_children;  // Instead of `children`, for endless trees.
  std::function<HRESULT()> invoke;
  std::function<HRESULT()> scroll_into_view;
  std::function<HRESULT()> expand;
  std::function<HRESULT()> collapse;  // Offered together with `expand`.
  std::function<HRESULT()> default_action;
  std::shared_ptr<Gate> hangs;  // FindAll and BuildUpdatedCache wait for it.
  bool gone = false;
};

inline std::shared_ptr<Node> node(int id, int control_type, const wchar_t* name) {
  auto made = std::make_shared<Node>();
  made->properties = {{uia::kRuntimeId, Id{42, id}},
                      {uia::kControlType, control_type},
                      {uia::kName, Text(name)},
                      {uia::kProcessId, 77},
                      {uia::kIsEnabled, true},
                      {uia::kIsOffscreen, false},
                      {uia::kBoundingRectangle, Place{10, 20, 100, 50}}};
  return made;
}

class FakeInvoke final : public Object<uia::InvokePattern> {
 public:
  explicit FakeInvoke(std::function<HRESULT()> invoke) : invoke_(std::move(invoke)) {}
  HRESULT STDMETHODCALLTYPE Invoke() override { return invoke_(); }

 private:
  std::function<HRESULT()> invoke_;
};

class FakeScrollItem final : public Object<uia::ScrollItemPattern> {
 public:
  explicit FakeScrollItem(std::function<HRESULT()> scroll) : scroll_(std::move(scroll)) {}
  HRESULT STDMETHODCALLTYPE ScrollIntoView() override { return scroll_(); }

 private:
  std::function<HRESULT()> scroll_;
};

class FakeExpandCollapse final : public Object<uia::ExpandCollapsePattern> {
 public:
  FakeExpandCollapse(std::function<HRESULT()> expand, std::function<HRESULT()> collapse)
      : expand_(std::move(expand)), collapse_(std::move(collapse)) {}
  HRESULT STDMETHODCALLTYPE Expand() override { return expand_(); }
  HRESULT STDMETHODCALLTYPE Collapse() override { return collapse_(); }

 private:
  std::function<HRESULT()> expand_;
  std::function<HRESULT()> collapse_;
};

class FakeLegacy final : public Object<uia::LegacyIAccessiblePattern> {
 public:
  explicit FakeLegacy(std::function<HRESULT()> act) : act_(std::move(act)) {}
  HRESULT STDMETHODCALLTYPE DoDefaultAction() override { return act_(); }

 private:
  std::function<HRESULT()> act_;
};

// A property that the client did not ask for is not in the cache.
class FakeCache final : public Object<uia::CacheRequest> {
 public:
  HRESULT STDMETHODCALLTYPE AddProperty(int property) override {
    asked_.insert(property);
    return S_OK;
  }
  std::map<int, Property> copy(const std::map<int, Property>& properties) const {
    std::map<int, Property> cached;
    for (const auto& each : properties) {
      if (asked_.contains(each.first)) cached.insert(each);
    }
    return cached;
  }

 private:
  std::set<int> asked_;
};

class FakeElement;

class FakeArray final : public Object<uia::ElementArray> {
 public:
  FakeArray(std::vector<std::shared_ptr<Node>> nodes, ComPtr<FakeCache> cache)
      : nodes_(std::move(nodes)), cache_(std::move(cache)) {}
  HRESULT STDMETHODCALLTYPE get_Length(int* length) override {
    *length = static_cast<int>(nodes_.size());
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE GetElement(int index, uia::AutomationElement** element) override;

 private:
  std::vector<std::shared_ptr<Node>> nodes_;
  ComPtr<FakeCache> cache_;
};

inline ComPtr<FakeCache> cache_of(uia::CacheRequest* request) {
  request->AddRef();
  return ComPtr<FakeCache>(static_cast<FakeCache*>(request));
}

class FakeElement final : public Object<uia::AutomationElement> {
 public:
  FakeElement(std::shared_ptr<Node> node, const FakeCache& cache)
      : node_(std::move(node)), cached_(cache.copy(node_->properties)) {}

  HRESULT STDMETHODCALLTYPE FindAllBuildCache(uia::TreeScope scope, uia::Condition*, uia::CacheRequest* cache,
                                              uia::ElementArray** found) override {
    if (node_->hangs) node_->hangs->pass();
    if (node_->gone || scope != uia::kScopeChildren) return uia::kElementNotAvailable;
    *found = new FakeArray(node_->make_children ? node_->make_children() : node_->children, cache_of(cache));
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE BuildUpdatedCache(uia::CacheRequest* cache, uia::AutomationElement** updated) override {
    if (node_->hangs) node_->hangs->pass();
    if (node_->gone) return uia::kElementNotAvailable;
    *updated = new FakeElement(node_, *cache_of(cache).get());
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE GetCachedPropertyValue(int property, VARIANT* value) override {
    const auto found = cached_.find(property);
    if (found == cached_.end()) return E_INVALIDARG;
    *value = variant_of(found->second);
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE GetCurrentPatternAs(int pattern, REFIID interface_id, void** object) override {
    *object = nullptr;
    const auto is = [&](int id, const IID& of_interface) { return pattern == id && interface_id == of_interface; };
    if (is(uia::kInvokePattern, uia::kIidInvoke) && node_->invoke) {
      *object = static_cast<uia::InvokePattern*>(new FakeInvoke(node_->invoke));
    }
    if (is(uia::kScrollItemPattern, uia::kIidScrollItem) && node_->scroll_into_view) {
      *object = static_cast<uia::ScrollItemPattern*>(new FakeScrollItem(node_->scroll_into_view));
    }
    if (is(uia::kExpandCollapsePattern, uia::kIidExpandCollapse) && node_->expand) {
      *object = static_cast<uia::ExpandCollapsePattern*>(new FakeExpandCollapse(node_->expand, node_->collapse));
    }
    if (is(uia::kLegacyIAccessiblePattern, uia::kIidLegacyIAccessible) && node_->default_action) {
      *object = static_cast<uia::LegacyIAccessiblePattern*>(new FakeLegacy(node_->default_action));
    }
    return S_OK;
  }

 private:
  std::shared_ptr<Node> node_;
  std::map<int, Property> cached_;
};

inline HRESULT STDMETHODCALLTYPE FakeArray::GetElement(int index, uia::AutomationElement** element) {
  *element = new FakeElement(nodes_.at(static_cast<std::size_t>(index)), *cache_.get());
  return S_OK;
}

class FakeCondition final : public Object<uia::Condition> {};

class FakeAutomation final : public Object<uia::Automation> {
 public:
  FakeAutomation(std::shared_ptr<Node> window, std::shared_ptr<Node> focused)
      : window_(std::move(window)), focused_(std::move(focused)) {}

  HRESULT STDMETHODCALLTYPE ElementFromHandleBuildCache(HWND, uia::CacheRequest* cache,
                                                        uia::AutomationElement** element) override {
    return give(window_, cache, element);
  }
  HRESULT STDMETHODCALLTYPE ElementFromPointBuildCache(POINT, uia::CacheRequest* cache,
                                                       uia::AutomationElement** element) override {
    return give(focused_, cache, element);
  }
  HRESULT STDMETHODCALLTYPE GetFocusedElementBuildCache(uia::CacheRequest* cache,
                                                        uia::AutomationElement** element) override {
    return give(focused_, cache, element);
  }
  HRESULT STDMETHODCALLTYPE get_ControlViewCondition(uia::Condition** condition) override {
    *condition = new FakeCondition;
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE CreateCacheRequest(uia::CacheRequest** cache) override {
    *cache = new FakeCache;
    return S_OK;
  }

 private:
  static HRESULT give(const std::shared_ptr<Node>& node, uia::CacheRequest* cache, uia::AutomationElement** element) {
    if (!node || node->gone) return uia::kElementNotAvailable;
    *element = new FakeElement(node, *cache_of(cache).get());
    return S_OK;
  }

  std::shared_ptr<Node> window_;
  std::shared_ptr<Node> focused_;
};

}  // namespace da::actuator::fake_uia

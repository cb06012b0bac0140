// Accessible objects (IAccessible) of the target program, for windows of classes that nobody knows. An object may also
// hang, lie, or fail in one of its methods. One thread: that of the windows.
#pragma once

#include <windows.h>
// Must be included after windows.h:
#include <oleacc.h>
#include <oleauto.h>

#include <functional>
#include <string>
#include <vector>

namespace target {

struct Facts {
  long role = ROLE_SYSTEM_CLIENT;
  std::wstring name;
  std::wstring value;
  RECT place{};  // Left, top, width, height, in the window.
  long state = 0;
};

enum class Flaw { kNone, kNoRole, kNoChildCount, kNoNext, kNoReset, kNoInterface };

// Enumerates the ids from `count` down to 1. Its only client does not clone it.
class Ids final : public IEnumVARIANT {
 public:
  Flaw flaw = Flaw::kNone;

  explicit Ids(long count) : count_(count) {}
  virtual ~Ids() = default;

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID id, void** object) override {
    const bool known = id == __uuidof(IUnknown) || id == __uuidof(IEnumVARIANT);
    *object = known ? this : nullptr;
    return known ? S_OK : E_NOINTERFACE;
  }
  ULONG STDMETHODCALLTYPE AddRef() override { return 2; }
  ULONG STDMETHODCALLTYPE Release() override { return 1; }
  HRESULT STDMETHODCALLTYPE Next(ULONG wanted, VARIANT* ids, ULONG* fetched) override {
    if (flaw == Flaw::kNoNext) return E_FAIL;
    ULONG given = 0;
    for (; given < wanted && next_ < count_; ++given) {
      ids[given].vt = VT_I4;
      ids[given].lVal = count_ - next_++;
    }
    if (fetched != nullptr) *fetched = given;
    return given == wanted ? S_OK : S_FALSE;
  }
  HRESULT STDMETHODCALLTYPE Skip(ULONG count) override {
    next_ += static_cast<long>(count);
    return next_ <= count_ ? S_OK : S_FALSE;
  }
  HRESULT STDMETHODCALLTYPE Reset() override {
    if (flaw == Flaw::kNoReset) return E_NOTIMPL;
    next_ = 0;
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE Clone(IEnumVARIANT**) override { return E_NOTIMPL; }

 private:
  long count_;
  long next_ = 0;
};

class Accessible : public IAccessible {
 public:
  HWND window = nullptr;
  Ids* ids = nullptr;  // If it enumerates its children, as Qt does: by their ids, also those that are objects.
  Facts self;
  std::vector<Facts> parts;           // Simple children, with the ids from 1 on.
  std::vector<Accessible*> children;  // Their ids follow those of `parts`.
  long focused = CHILDID_SELF;
  std::function<void()> before_name;  // Called before each answer with a name.
  Flaw flaw = Flaw::kNone;

  virtual ~Accessible() = default;

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID id, void** object) override {
    *object = nullptr;
    if (ids != nullptr && id == __uuidof(IEnumVARIANT)) return ids->QueryInterface(id, object);
    if (flaw == Flaw::kNoInterface && id == __uuidof(IAccessible)) return E_NOINTERFACE;
    if (id != __uuidof(IUnknown) && id != __uuidof(IDispatch) && id != __uuidof(IAccessible)) return E_NOINTERFACE;
    *object = static_cast<IAccessible*>(this);
    AddRef();
    return S_OK;
  }
  // The program keeps its objects until it ends.
  ULONG STDMETHODCALLTYPE AddRef() override { return 2; }
  ULONG STDMETHODCALLTYPE Release() override { return 1; }

  HRESULT STDMETHODCALLTYPE GetTypeInfoCount(UINT* count) override {
    *count = 0;
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE GetTypeInfo(UINT, LCID, ITypeInfo**) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE GetIDsOfNames(REFIID, LPOLESTR*, UINT, LCID, DISPID*) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE Invoke(DISPID, REFIID, LCID, WORD, DISPPARAMS*, VARIANT*, EXCEPINFO*, UINT*) override {
    return E_NOTIMPL;
  }

  HRESULT STDMETHODCALLTYPE get_accParent(IDispatch** parent) override { return nothing(parent); }
  HRESULT STDMETHODCALLTYPE get_accChildCount(long* count) override {
    *count = static_cast<long>(parts.size() + children.size());
    return flaw == Flaw::kNoChildCount ? E_FAIL : S_OK;
  }
  HRESULT STDMETHODCALLTYPE get_accChild(VARIANT child, IDispatch** object) override {
    *object = nullptr;
    const auto index = static_cast<std::size_t>(child.lVal) - parts.size() - 1;
    if (child.vt != VT_I4 || child.lVal <= static_cast<long>(parts.size()) || index >= children.size()) return S_FALSE;
    *object = children[index];
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE get_accName(VARIANT child, BSTR* name) override {
    *name = nullptr;
    const Facts* facts = find(child);
    if (facts == nullptr) return E_INVALIDARG;
    if (before_name) before_name();
    return text(facts->name, name);
  }
  HRESULT STDMETHODCALLTYPE get_accValue(VARIANT child, BSTR* value) override {
    *value = nullptr;
    const Facts* facts = find(child);
    return facts == nullptr ? E_INVALIDARG : text(facts->value, value);
  }
  HRESULT STDMETHODCALLTYPE get_accDescription(VARIANT, BSTR* text) override { return nothing(text); }
  HRESULT STDMETHODCALLTYPE get_accRole(VARIANT child, VARIANT* role) override {
    const Facts* facts = flaw == Flaw::kNoRole ? nullptr : find(child);
    return number(facts == nullptr ? nullptr : &facts->role, role);
  }
  HRESULT STDMETHODCALLTYPE get_accState(VARIANT child, VARIANT* state) override {
    const Facts* facts = find(child);
    return number(facts == nullptr ? nullptr : &facts->state, state);
  }
  HRESULT STDMETHODCALLTYPE get_accHelp(VARIANT, BSTR* text) override { return nothing(text); }
  HRESULT STDMETHODCALLTYPE get_accHelpTopic(BSTR* file, VARIANT, long*) override { return nothing(file); }
  HRESULT STDMETHODCALLTYPE get_accKeyboardShortcut(VARIANT, BSTR* text) override { return nothing(text); }
  HRESULT STDMETHODCALLTYPE get_accFocus(VARIANT* child) override { return number(&focused, child); }
  HRESULT STDMETHODCALLTYPE get_accSelection(VARIANT* selected) override {
    ::VariantInit(selected);
    return S_FALSE;
  }
  HRESULT STDMETHODCALLTYPE get_accDefaultAction(VARIANT, BSTR* text) override { return nothing(text); }
  HRESULT STDMETHODCALLTYPE accSelect(long, VARIANT) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE accLocation(long* x, long* y, long* width, long* height, VARIANT child) override {
    *x = *y = *width = *height = 0;
    const Facts* facts = find(child);
    if (facts == nullptr) return E_INVALIDARG;
    POINT corner{facts->place.left, facts->place.top};
    ::ClientToScreen(window, &corner);
    *x = corner.x;
    *y = corner.y;
    *width = facts->place.right;
    *height = facts->place.bottom;
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE accNavigate(long, VARIANT, VARIANT* end) override {
    ::VariantInit(end);
    return S_FALSE;
  }
  HRESULT STDMETHODCALLTYPE accHitTest(long, long, VARIANT* child) override {
    ::VariantInit(child);
    return S_FALSE;
  }
  HRESULT STDMETHODCALLTYPE accDoDefaultAction(VARIANT) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE put_accName(VARIANT, BSTR) override { return E_NOTIMPL; }
  HRESULT STDMETHODCALLTYPE put_accValue(VARIANT, BSTR) override { return E_NOTIMPL; }

 protected:
  virtual const Facts* find(const VARIANT& child) const {
    if (child.vt != VT_I4) return nullptr;
    if (child.lVal == CHILDID_SELF) return &self;
    if (child.lVal < 0) return nullptr;
    const auto index = static_cast<std::size_t>(child.lVal) - 1;
    if (index < parts.size()) return &parts[index];
    return index - parts.size() < children.size() ? &children[index - parts.size()]->self : nullptr;
  }

 private:
  template <class T>
  static HRESULT nothing(T** result) {
    *result = nullptr;
    return S_FALSE;
  }
  static HRESULT text(const std::wstring& from, BSTR* to) {
    if (from.empty()) return S_FALSE;
    *to = ::SysAllocStringLen(from.data(), static_cast<UINT>(from.size()));
    return S_OK;
  }
  static HRESULT number(const long* from, VARIANT* to) {
    ::VariantInit(to);
    if (from == nullptr) return E_INVALIDARG;
    to->vt = VT_I4;
    to->lVal = *from;
    return S_OK;
  }
};

// Tells of two billion children with names of megabytes, and contains itself.
class Liar final : public Accessible {
 public:
  Liar() {
    lie_.role = 0x7fffffff;
    lie_.name.assign(1'000'000, L'n');
    lie_.place = {-2'000'000'000, 2'000'000'000, -5, 2'000'000'000};
    lie_.state = -1 & ~(STATE_SYSTEM_INVISIBLE | STATE_SYSTEM_OFFSCREEN);
    field_.role = ROLE_SYSTEM_TEXT;
    field_.name = L"long text";
    field_.value.assign(1'000'000, L'v');
    field_.place = {5, 5, 20, 20};
  }
  HRESULT STDMETHODCALLTYPE get_accChildCount(long* count) override {
    *count = 2'000'000'000;
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE get_accChild(VARIANT child, IDispatch** object) override {
    *object = child.lVal == 2 ? this : nullptr;
    return *object == nullptr ? S_FALSE : S_OK;
  }

 protected:
  const Facts* find(const VARIANT& child) const override {
    if (child.lVal == CHILDID_SELF) return &self;
    return child.lVal == 1 ? &field_ : &lie_;
  }

 private:
  Facts lie_;
  Facts field_;
};

// Answers its window's messages, but never returns.
inline void pump_for_ever() {
  MSG message{};
  while (::GetMessageW(&message, nullptr, 0, 0) >= 0) {
    ::TranslateMessage(&message);
    ::DispatchMessageW(&message);
  }
}

}  // namespace target

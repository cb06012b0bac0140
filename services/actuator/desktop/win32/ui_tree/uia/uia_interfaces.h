// The part of UI Automation's client interfaces that we use, declared by ourselves because MinGW's headers lack them.
//
// Source: UIAutomationClient.h as documented by Microsoft. The order of the methods is the binary interface: each
// interface has all methods up to the last one that we call, those between as slots. A slot that a test's object does
// not override answers E_NOTIMPL.
#pragma once

#include <windows.h>
// windows.h must come first:
#include <oaidl.h>

namespace da::actuator::win32::uia {

constexpr CLSID kCuiAutomation{0xff48dba4, 0x60ef, 0x4201, {0xaa, 0x87, 0x54, 0x10, 0x3e, 0xef, 0x59, 0x4e}};
constexpr IID kIidAutomation{0x30cbe57d, 0xd9d0, 0x452a, {0xab, 0x13, 0x7a, 0xc5, 0xac, 0x48, 0x25, 0xee}};
constexpr IID kIidInvoke{0xfb377fbe, 0x8ea6, 0x46d5, {0x9c, 0x73, 0x64, 0x99, 0x64, 0x2d, 0x30, 0x59}};
constexpr IID kIidToggle{0x94cf8058, 0x9b8d, 0x4ab9, {0x8b, 0xfd, 0x4c, 0xd0, 0xa3, 0x3c, 0x8c, 0x70}};
constexpr IID kIidSelectionItem{0xa8efa66a, 0x0fda, 0x421a, {0x91, 0x94, 0x38, 0x02, 0x1f, 0x35, 0x78, 0xea}};
constexpr IID kIidScrollItem{0xb488300f, 0xd015, 0x4f19, {0x9c, 0x29, 0xbb, 0x59, 0x5e, 0x36, 0x45, 0xef}};
constexpr IID kIidExpandCollapse{0x619be086, 0x1f4e, 0x4ee4, {0xba, 0xfa, 0x21, 0x01, 0x28, 0x73, 0x87, 0x30}};
constexpr IID kIidLegacyIAccessible{0x828055ad, 0x355b, 0x4435, {0x86, 0xd5, 0x3b, 0x51, 0xc1, 0x4a, 0x9b, 0x1b}};

enum PatternId : int {
  kInvokePattern = 10000,
  kExpandCollapsePattern = 10005,
  kSelectionItemPattern = 10010,
  kTogglePattern = 10015,
  kScrollItemPattern = 10017,
  kLegacyIAccessiblePattern = 10018,
};

enum PropertyId : int {
  kRuntimeId = 30000,
  kBoundingRectangle = 30001,
  kProcessId = 30002,
  kControlType = 30003,
  kName = 30005,
  kHasKeyboardFocus = 30008,
  kIsKeyboardFocusable = 30009,
  kIsEnabled = 30010,
  kIsPassword = 30019,
  kIsOffscreen = 30022,
  kIsExpandCollapseAvailable = 30028,
  kIsInvokeAvailable = 30031,
  kIsScrollItemAvailable = 30035,
  kIsSelectionItemAvailable = 30036,
  kIsToggleAvailable = 30041,
  kIsValueAvailable = 30043,
  kValue = 30045,
  kValueIsReadOnly = 30046,
  kExpandCollapseState = 30070,
  kIsSelected = 30079,
  kToggleState = 30086,
  kIsLegacyIAccessibleAvailable = 30090,
  kLegacyName = 30092,
  kLegacyValue = 30093,
  kLegacyRole = 30095,
  kLegacyState = 30096,
  kLegacyDefaultAction = 30100,
};

// Values of kExpandCollapseState.
enum ExpandState : int { kCollapsed = 0, kExpanded = 1, kPartiallyExpanded = 2, kLeafNode = 3 };

enum TreeScope : int { kScopeElement = 1, kScopeChildren = 2 };

constexpr HRESULT kElementNotAvailable = static_cast<HRESULT>(0x80040201);
constexpr HRESULT kElementNotEnabled = static_cast<HRESULT>(0x80040200);
constexpr HRESULT kNotSupported = static_cast<HRESULT>(0x80040204);

// A method that we do not call.
#define DA_UIA_SLOT(name) \
  virtual HRESULT STDMETHODCALLTYPE name() { return E_NOTIMPL; }

struct Condition : ::IUnknown {};

struct CacheRequest : ::IUnknown {
  virtual HRESULT STDMETHODCALLTYPE AddProperty(int property) = 0;
};

struct AutomationElement;

struct ElementArray : ::IUnknown {
  virtual HRESULT STDMETHODCALLTYPE get_Length(int* length) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetElement(int index, AutomationElement** element) = 0;
};

struct AutomationElement : ::IUnknown {
  DA_UIA_SLOT(SetFocus)
  DA_UIA_SLOT(GetRuntimeId)
  DA_UIA_SLOT(FindFirst)
  DA_UIA_SLOT(FindAll)
  DA_UIA_SLOT(FindFirstBuildCache)
  virtual HRESULT STDMETHODCALLTYPE FindAllBuildCache(TreeScope scope, Condition* condition, CacheRequest* cache,
                                                      ElementArray** found) = 0;
  virtual HRESULT STDMETHODCALLTYPE BuildUpdatedCache(CacheRequest* cache, AutomationElement** updated) = 0;
  DA_UIA_SLOT(GetCurrentPropertyValue)
  DA_UIA_SLOT(GetCurrentPropertyValueEx)
  virtual HRESULT STDMETHODCALLTYPE GetCachedPropertyValue(int property, VARIANT* value) = 0;
  DA_UIA_SLOT(GetCachedPropertyValueEx)
  virtual HRESULT STDMETHODCALLTYPE GetCurrentPatternAs(int pattern, REFIID interface_id, void** object) = 0;
};

struct Automation : ::IUnknown {
  DA_UIA_SLOT(CompareElements)
  DA_UIA_SLOT(CompareRuntimeIds)
  DA_UIA_SLOT(GetRootElement)
  DA_UIA_SLOT(ElementFromHandle)
  DA_UIA_SLOT(ElementFromPoint)
  DA_UIA_SLOT(GetFocusedElement)
  DA_UIA_SLOT(GetRootElementBuildCache)
  virtual HRESULT STDMETHODCALLTYPE ElementFromHandleBuildCache(HWND window, CacheRequest* cache,
                                                                AutomationElement** element) = 0;
  virtual HRESULT STDMETHODCALLTYPE ElementFromPointBuildCache(POINT at, CacheRequest* cache,
                                                               AutomationElement** element) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetFocusedElementBuildCache(CacheRequest* cache, AutomationElement** element) = 0;
  DA_UIA_SLOT(CreateTreeWalker)
  DA_UIA_SLOT(get_ControlViewWalker)
  DA_UIA_SLOT(get_ContentViewWalker)
  DA_UIA_SLOT(get_RawViewWalker)
  DA_UIA_SLOT(get_RawViewCondition)
  virtual HRESULT STDMETHODCALLTYPE get_ControlViewCondition(Condition** condition) = 0;
  DA_UIA_SLOT(get_ContentViewCondition)
  virtual HRESULT STDMETHODCALLTYPE CreateCacheRequest(CacheRequest** cache) = 0;
};

struct InvokePattern : ::IUnknown {
  virtual HRESULT STDMETHODCALLTYPE Invoke() = 0;
};
struct TogglePattern : ::IUnknown {
  virtual HRESULT STDMETHODCALLTYPE Toggle() = 0;
};
struct SelectionItemPattern : ::IUnknown {
  virtual HRESULT STDMETHODCALLTYPE Select() = 0;
};
struct ScrollItemPattern : ::IUnknown {
  virtual HRESULT STDMETHODCALLTYPE ScrollIntoView() = 0;
};
struct ExpandCollapsePattern : ::IUnknown {
  virtual HRESULT STDMETHODCALLTYPE Expand() = 0;
  virtual HRESULT STDMETHODCALLTYPE Collapse() = 0;
};
struct LegacyIAccessiblePattern : ::IUnknown {
  DA_UIA_SLOT(Select)
  virtual HRESULT STDMETHODCALLTYPE DoDefaultAction() = 0;
};

#undef DA_UIA_SLOT

}  // namespace da::actuator::win32::uia

#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_client.h"

#include <oleidl.h>

#include <algorithm>
#include <array>

#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_roles.h"
#include "services/actuator/desktop/win32/ui_tree/window_scale.h"

namespace da::actuator::win32 {
namespace {

constexpr IID kIidAccessible{0x618736e0, 0x3c3d, 0x11cf, {0x81, 0x0c, 0x00, 0xaa, 0x00, 0x38, 0x9b, 0x71}};
constexpr IID kIidEnumVariant{0x00020404, 0x0000, 0x0000, {0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};
constexpr IID kIidOleWindow{0x00000114, 0x0000, 0x0000, {0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x46}};

// Owns a VARIANT.
class Variant {
 public:
  Variant() { ::VariantInit(&value_); }
  ~Variant() { ::VariantClear(&value_); }
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;

  VARIANT* receive() { return &value_; }
  std::optional<std::int64_t> number() const {
    return value_.vt == VT_I4 ? std::optional<std::int64_t>(static_cast<std::uint32_t>(value_.lVal)) : std::nullopt;
  }

 private:
  VARIANT value_;
};

// Owns a BSTR.
class Text {
 public:
  Text() = default;
  ~Text() { ::SysFreeString(text_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  BSTR* receive() { return &text_; }
  std::wstring start(std::size_t limit) const {
    return text_ == nullptr ? std::wstring() : std::wstring(text_, std::min<std::size_t>(::SysStringLen(text_), limit));
  }

 private:
  BSTR text_ = nullptr;
};

// An object, or a part of it that is no object of its own.
struct Part {
  ComPtr<IAccessible> object;
  LONG child = CHILDID_SELF;

  VARIANT id() const {
    VARIANT id;
    ::VariantInit(&id);
    id.vt = VT_I4;
    id.lVal = child;
    return id;
  }
};

template <class Interface>
ComPtr<Interface> interface_of(IUnknown& object, const IID& interface_id) {
  ComPtr<Interface> found;
  void* pointer = nullptr;
  if (object.QueryInterface(interface_id, &pointer) != S_OK || pointer == nullptr) return found;
  return ComPtr<Interface>(static_cast<Interface*>(pointer));
}

// The children of an object, one after the other. AccessibleChildren() makes more calls for the same, and no deadline
// could be checked between them.
class Children {
 public:
  Children(ComPtr<IAccessible> parent, int first)
      : parent_(std::move(parent)), next_(first), list_(interface_of<IEnumVARIANT>(*parent_.get(), kIidEnumVariant)) {
    for (VARIANT& each : fetched_) ::VariantInit(&each);
    if (list_) {
      was_reset_ = list_->Reset() == S_OK;  // Some servers cannot, and offer a new list to each client instead.
      const HRESULT skipped = first > 0 ? list_->Skip(static_cast<ULONG>(first)) : S_OK;
      incomplete_ = FAILED(skipped);
      ended_ = skipped != S_OK;
    } else {
      incomplete_ = ended_ = parent_->get_accChildCount(&count_) != S_OK;
    }
  }
  ~Children() { clear(); }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  // Goes to the next child; false after the last one.
  bool next() {
    ++place_;
    if (list_ && place_ >= size_) fetch();
    if (!list_) ended_ = ended_ || next_ >= count_;
    ++next_;
    return !ended_;
  }
  // The child; nullopt if it cannot be read.
  std::optional<Part> get() {
    if (!list_) return with_id(next_);  // Ids begin with 1.
    const VARIANT& child = fetched_[static_cast<std::size_t>(place_)];
    if (child.vt == VT_I4 && child.lVal != CHILDID_SELF) return with_id(child.lVal);
    if (child.vt == VT_DISPATCH && child.pdispVal != nullptr) return object_of(*child.pdispVal);
    incomplete_ = true;
    return std::nullopt;
  }
  // Whether a call has failed, so that there may be children that were not told.
  bool incomplete() const { return incomplete_; }

 private:
  static constexpr ULONG kAtOnce = 32;

  void clear() {
    for (VARIANT& each : fetched_) ::VariantClear(&each);
  }
  void fetch() {
    clear();
    ULONG fetched = 0;
    if (!ended_ && FAILED(list_->Next(kAtOnce, fetched_.data(), &fetched))) {
      incomplete_ = true;
      fetched = 0;
    }
    size_ = static_cast<int>(std::min(fetched, kAtOnce));
    place_ = 0;
    ended_ = size_ == 0;
    // It may have begun after the first child.
    if (ended_ && !was_reset_ && (parent_->get_accChildCount(&count_) != S_OK || next_ < count_)) incomplete_ = true;
  }
  // Some servers, such as Qt's, enumerate full objects by their ids too.
  std::optional<Part> with_id(LONG id) {
    Part simple{parent_, id};
    ComPtr<IDispatch> object;
    const HRESULT told = parent_->get_accChild(simple.id(), object.receive());
    if (told == S_OK && object) return object_of(*object.get());
    const bool is_simple =
        SUCCEEDED(told) || told == E_INVALIDARG || told == E_NOTIMPL || told == DISP_E_MEMBERNOTFOUND;
    if (!is_simple) incomplete_ = true;
    return simple;
  }
  std::optional<Part> object_of(IDispatch& dispatch) {
    auto object = interface_of<IAccessible>(dispatch, kIidAccessible);
    if (object) return Part{std::move(object)};
    incomplete_ = true;
    return std::nullopt;
  }

  const ComPtr<IAccessible> parent_;
  LONG next_;       // The position of the child that next() goes to.
  LONG count_ = 0;  // Number of children, as the object reports it.
  const ComPtr<IEnumVARIANT> list_;
  bool was_reset_ = false;
  std::array<VARIANT, kAtOnce> fetched_;
  int size_ = 0;
  int place_ = -1;
  bool ended_ = false;
  bool incomplete_ = false;
};

// A call takes about a millisecond under Wine on an idle machine, so as few as possible are made.
class Reading {
 public:
  using About = MsaaQuestion::About;

  Reading(const MsaaQuestion& question, const Clock& clock, MsaaAnswer& answer)
      : question_(question), clock_(clock), answer_(answer), map_(screen_map_of(question.window)) {}

  void read(const ComPtr<IAccessible>& whole) {
    switch (question_.about) {
      case About::kName: answer_.nodes.push_back({.name = name_of({whole})}); return;
      case About::kObject: add_node({whole}, {}); return;
      case About::kDescendants: read_below(whole, {}); return;
      case About::kPath: read_path(whole, question_.path); return;
      case About::kPoint: search(whole, {}); break;
      case About::kFocus:
        if (has_focus_inside(*whole.get())) search(whole, {});
        break;
    }
    read_path(whole, found_);
  }

 private:
  static constexpr const char* kUnread = "some elements could not be read";

  bool ends() {
    const bool late = clock_.now() >= question_.deadline;
    const bool full = answer_.nodes.size() >= question_.most_nodes || looked_at_ >= MsaaClient::kMostChildren;
    if (late) truncate("the time was over");
    if (full) truncate("the window has more elements than were asked for");
    return late || full;
  }
  void truncate(const char* why) {
    if (answer_.truncated.empty()) answer_.truncated = why;
  }

  // Calls use(child, path) for each child until ends(); also for those that are not to be shown.
  template <class Use>
  void for_each_child(const ComPtr<IAccessible>& parent, const MsaaPath& path, const Use& use) {
    if (path.size() >= MsaaClient::kDeepest) return truncate("the elements are nested too deeply");
    Children children(parent, 0);
    for (int position = 0; !ends() && children.next(); ++position) {
      if (position >= MsaaClient::kMostChildren) return truncate("an element has more children than were read");
      MsaaPath below = path;
      below.push_back(position);
      if (const auto child = children.get()) use(*child, below);
    }
    if (children.incomplete()) truncate(kUnread);
  }

  void read_below(const ComPtr<IAccessible>& parent, const MsaaPath& path) {
    for_each_child(parent, path, [this](const Part& child, const MsaaPath& at) {
      if (add_node(child, at) && may_be_entered(child)) read_below(child.object, at);
    });
  }

  void read_path(ComPtr<IAccessible> parent, const MsaaPath& path) {
    MsaaPath at;
    for (const int position : path) {
      at.push_back(position);
      Children children(parent, position);
      const auto child = children.next() ? children.get() : std::nullopt;
      if (children.incomplete()) truncate(kUnread);
      if (!child || ends() || !add_node(*child, at)) return;
      if (!may_be_entered(*child)) return;
      parent = child->object;
    }
  }

  // Leaves in found_ the last object that matches.
  void search(const ComPtr<IAccessible>& parent, const MsaaPath& path) {
    for_each_child(parent, path, [this](const Part& child, const MsaaPath& at) {
      ++looked_at_;
      const bool by_point = question_.about == About::kPoint;
      if (by_point && !place_of(child).contains(question_.point)) return;
      const std::int64_t state = state_of(child);
      const bool shown = (state & (STATE_SYSTEM_INVISIBLE | STATE_SYSTEM_OFFSCREEN)) == 0;
      const bool matches = by_point ? shown : (state & STATE_SYSTEM_FOCUSED) != 0;
      if (by_point && !shown) return;
      if (child.child == CHILDID_SELF && is_another_window(child, role_of(child).value_or(0))) return;
      if (matches) found_ = at;
      if (child.child == CHILDID_SELF && !is_protected(state)) search(child.object, at);
    });
  }

  // False when the part is not to be shown, or cannot be read.
  bool add_node(const Part& part, const MsaaPath& path) {
    const auto role = role_of(part);
    if (!role) {
      truncate(kUnread);
      return false;
    }
    MsaaNode node{.path = path, .role = *role, .state = state_of(part)};
    // What is scrolled out is also marked as invisible.
    const bool hidden = (node.state & (STATE_SYSTEM_INVISIBLE | STATE_SYSTEM_OFFSCREEN)) == STATE_SYSTEM_INVISIBLE;
    if (!path.empty() && (hidden || is_another_window(part, node.role))) return false;
    node.bounds = place_of(part);
    node.name = name_of(part);
    const auto role_name = role_of_msaa(node.role);
    if ((role_name == "text" || role_name == "combo box") && !is_protected(node.state)) {
      Text value;
      const bool told = part.object->get_accValue(part.id(), value.receive()) == S_OK;
      if (told) node.value = value.start(MsaaClient::kLongestValue);
    }
    answer_.nodes.push_back(std::move(node));
    return true;
  }

  // `part` is the element that add_node() has just added.
  bool may_be_entered(const Part& part) const {
    return part.child == CHILDID_SELF && !is_protected(answer_.nodes.back().state);
  }

  static std::wstring name_of(const Part& part) {
    Text name;
    const bool told = part.object->get_accName(part.id(), name.receive()) == S_OK;
    return told ? name.start(MsaaClient::kLongestName) : std::wstring();
  }

  // nullopt when there is no such part.
  static std::optional<std::int64_t> role_of(const Part& part) {
    Variant role;
    if (part.object->get_accRole(part.id(), role.receive()) != S_OK) return std::nullopt;
    return role.number().value_or(0);
  }

  // A field that does not tell counts as a password.
  static std::int64_t state_of(const Part& part) {
    Variant state;
    const bool told = part.object->get_accState(part.id(), state.receive()) == S_OK;
    return told ? state.number().value_or(STATE_SYSTEM_PROTECTED) : STATE_SYSTEM_PROTECTED;
  }

  // An object tells the pixels of its own program.
  Rect place_of(const Part& part) const {
    if (!map_) return {};
    LONG x = 0;
    LONG y = 0;
    LONG width = 0;
    LONG height = 0;
    if (part.object->accLocation(&x, &y, &width, &height, part.id()) != S_OK) return {};
    constexpr LONG kLimit = 1'000'000;
    const auto sane = [](LONG pixel) { return pixel > -kLimit && pixel < kLimit; };
    if (!sane(x) || !sane(y) || width <= 0 || height <= 0 || width >= kLimit || height >= kLimit) return {};
    return map_->to_desktop(
        {static_cast<int>(x), static_cast<int>(y), static_cast<int>(width), static_cast<int>(height)});
  }

  static bool has_focus_inside(IAccessible& object) {
    VARIANT focus;
    ::VariantInit(&focus);
    const bool told = object.get_accFocus(&focus) == S_OK;
    const bool inside = told && (focus.vt == VT_DISPATCH || (focus.vt == VT_I4 && focus.lVal != CHILDID_SELF));
    ::VariantClear(&focus);
    return inside;
  }

  // Other windows are found by their handles.
  bool is_another_window(const Part& part, std::int64_t role) const {
    if (part.child != CHILDID_SELF) return false;
    if (role == ROLE_SYSTEM_WINDOW) return true;
    HWND window = nullptr;
    const auto in_window = interface_of<IOleWindow>(*part.object.get(), kIidOleWindow);
    return in_window && in_window->GetWindow(&window) == S_OK && window != nullptr && window != question_.window;
  }

  const MsaaQuestion& question_;
  const Clock& clock_;
  MsaaAnswer& answer_;
  const std::optional<PlaceMap> map_;
  int looked_at_ = 0;  // Number of objects that search() has looked at.
  MsaaPath found_;
};

}  // namespace

Result<MsaaAnswer> MsaaClient::ask(const MsaaQuestion& question) {
  void* pointer = nullptr;
  const HRESULT found = ::ObjectFromLresult(question.reference, kIidAccessible, 0, &pointer);
  if (found != S_OK || pointer == nullptr) {
    return Error{Code::kInternal, "the object that a window offers by MSAA cannot be opened"};
  }
  const ComPtr<IAccessible> whole(static_cast<IAccessible*>(pointer));
  MsaaAnswer answer;
  Reading(question, clock_, answer).read(whole);
  return answer;
}

}  // namespace da::actuator::win32

// The elements of applications, from the desktop's accessibility interface. desktop.h tells about coordinates, threads
// and errors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator {

// Names one accessible object. Only the back end knows the format; equal handles name the same object.
struct ElementHandle {
  std::string native;
  friend bool operator==(const ElementHandle&, const ElementHandle&) = default;
  friend auto operator<=>(const ElementHandle&, const ElementHandle&) = default;
};

enum class ElementState {
  kShowing,
  kEnabled,
  kFocused,
  kEditable,
  kChecked,
  kSelected,
  kExpanded,
  kPassword,
  kFocusable,
  kMultiLine,    // A text field where enter starts a new line.
  kSelectable,   // A row, an item or a tab that can be selected.
  kScrolledOut,  // Scrolling its container would show it.
  kTransient     // The application may create a new object for each query, so the handle does not identify it.
};

// An element's text is cut after this many characters.
constexpr std::size_t kMaxElementText = 2000;

// The value of a slider or spin button.
struct ElementRange {
  double value = 0;
  double minimum = 0;
  double maximum = 0;
  double step = 0;  // What an arrow key adds; 0: unknown.
  friend bool operator==(const ElementRange&, const ElementRange&) = default;
};

struct Element {
  ElementHandle handle;
  ElementHandle parent;   // Empty at a window's root.
  std::string window_id;  // WindowInfo.id; empty when unknown.
  std::uint32_t pid = 0;
  std::string role;         // One of contract::kRoles: "push button".
  std::string name;         // Limited to contract::kMaxNameCharacters.
  std::string text;         // Content of text elements, at most kMaxElementText characters; empty for passwords.
  std::string placeholder;  // What a field without a name shows while it is empty; as long as a name.
  Rect bounds;
  Rect visible;                       // The part of bounds that its scrolling containers do not clip; may be empty.
  Rect viewport;                      // The visible area of its scrolling containers; empty when nothing scrolls it.
  std::optional<ElementRange> range;  // Of sliders and spin buttons, if the application tells it.
  std::vector<ElementState> states;
  // Why its place on the screen is unknown, although it may show: its application's places do not fit its window. Then
  // the three rectangles are empty. For people; empty when the place is known.
  std::string unplaced;
  bool has(ElementState state) const { return std::ranges::find(states, state) != states.end(); }
};

// A part of an element's text; unit: characters.
struct TextRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// The content of a text element. Lengths and places are in characters.
struct TextContent {
  std::size_t length = 0;
  std::optional<std::string> text;    // Limited to kMaxElementText characters; nullopt for a password or when unknown.
  std::optional<TextRange> selected;  // Empty range: nothing is selected. nullopt: the application does not tell.
};

struct TreeLimits {
  std::uint32_t max_nodes = 5000;
  MonoTime deadline;
  // A cached tree of at most this age may be returned when the back end has seen no change since. Only for
  // observations, never for elements that are about to be acted on or masked.
  Milliseconds max_age{0};
};

struct ElementTree {
  std::vector<Element> elements;  // Parents before children.
  bool truncated = false;
  bool available = true;  // False when this desktop offers no accessibility tree at all.
  bool opening = false;   // The tree has a window that does not show yet but is about to.
  std::string note;       // Why the tree is empty or truncated.
  // Ids of windows without elements whose application has just started and will expose some.
  std::vector<std::string> awaited;
};

// The result of looking for the focused element, or for the element under a point.
struct FoundElement {
  std::optional<Element> element;
  // The application exposes elements, but did not name this one in time. `element` is then at best a container of it.
  bool unread = false;
};

// A web page, or a frame of one.
struct PageDocument {
  ElementHandle handle;
  std::string role;  // "document web", or "document frame" if no container is a "document web".
  friend bool operator==(const PageDocument&, const PageDocument&) = default;
};

class UiTree {
 public:
  virtual ~UiTree() = default;
  // The elements of one window; nullopt means all windows.
  virtual Result<ElementTree> read(const std::optional<WindowInfo>& window, const TreeLimits& limits) = 0;
  // The innermost element under a point of the window; none when the application exposes no element there.
  virtual Result<FoundElement> element_at(const WindowInfo& window, Point at, MonoTime deadline) = 0;
  // Returns the application's own answer: cheaper than element_at(), but less sure. For proofs, never for elements that
  // are about to be acted on or masked.
  virtual Result<FoundElement> likely_at(const WindowInfo& window, Point at, MonoTime deadline) {
    return element_at(window, at, deadline);
  }
  // Returns the element of a web page that gets a click at the point instead of `element` (a sticky header, a banner),
  // according to the browser's own hit test. nullopt: there is none, or it is unknown.
  virtual Result<std::optional<Element>> page_cover(const ElementHandle&, Point, MonoTime) {
    return std::optional<Element>();
  }
  // The innermost document that contains the element or is it; nullopt: none does. An error means that it is unknown.
  // This one asks for each container (page_document.cpp).
  virtual Result<std::optional<PageDocument>> document_of(const ElementHandle& element, MonoTime deadline);
  virtual Result<FoundElement> focused(const WindowInfo& window, MonoTime deadline) = 0;
  // The element's current state; kNotFound when it is gone.
  virtual Result<Element> refresh(const ElementHandle& element, MonoTime deadline) = 0;
  // As refresh(), but for observations: may be as old as TreeLimits.max_age allows.
  virtual Result<Element> recall(const ElementHandle& element, const TreeLimits& limits) {
    return refresh(element, limits.deadline);
  }
  // The place of each range of the element's text, also when scrolled out; empty for a range without a known place.
  // kUnimplemented when the element has no such places, kNotFound when it is gone.
  virtual Result<std::vector<Rect>> text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                                MonoTime deadline) = 0;
  // Performs the element's own click-like action, where the back end knows that it equals a click and that the pointer
  // may miss. Otherwise kUnimplemented: click its place instead.
  virtual Result<void> invoke(const ElementHandle& element, MonoTime deadline) = 0;
  // False if invoke() is certain to return kUnimplemented: a cheap question.
  virtual bool may_invoke(const ElementHandle& /*element*/, MonoTime /*deadline*/) { return true; }
  // The content of a text element, asked for now. kUnimplemented when the application does not tell it; kNotFound.
  virtual Result<TextContent> content(const ElementHandle& /*element*/, MonoTime /*deadline*/) {
    return Error{Code::kUnimplemented, "the content of text elements is not known on this desktop"};
  }
  // Asks the application to select the whole content of a text element; content() tells whether it did. kUnimplemented
  // when it cannot be asked.
  virtual Result<void> select_content(const ElementHandle& /*element*/, MonoTime /*deadline*/) {
    return Error{Code::kUnimplemented, "text cannot be selected through the elements of this desktop"};
  }
  // Asks the application to scroll until the element shows, and returns without waiting for that. kUnimplemented when
  // the application cannot: turn the wheel in Element.viewport instead.
  virtual Result<void> reveal(const ElementHandle& element, MonoTime deadline) = 0;
  // Forgets what was kept about applications' elements, their texts included: no task is open any more. Handles from
  // before may be kNotFound afterwards. Waits for an application only shortly.
  virtual void forget_all() = 0;
  // Applications need not report changes until the next read(), which leaves them more time for other work. The next
  // read takes as long as a first one.
  virtual void let_applications_rest() {}
};

}  // namespace da::actuator

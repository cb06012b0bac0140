#include "services/actuator/desktop/fake/fake_ui_tree.h"

#include "lib/base/text.h"
#include "services/actuator/desktop/viewport.h"

namespace da::actuator::fake {
namespace {

Error element_gone() { return {Code::kNotFound, "the element is gone"}; }

Element describe(const FakeWindow& window, const FakeElement& element, bool in_front) {
  Element described{.handle = {element.id},
                    .parent = {element.parent},
                    .window_id = window.id,
                    .pid = window.pid,
                    .role = element.role,
                    .name = element.name,
                    .text = element.password ? "" : element.text,
                    .bounds = element.bounds};
  if (!window.minimized) described.states.push_back(ElementState::kShowing);
  if (element.enabled) described.states.push_back(ElementState::kEnabled);
  if (element.editable) described.states.push_back(ElementState::kEditable);
  if (element.multi_line) described.states.push_back(ElementState::kMultiLine);
  if (element.password) described.states.push_back(ElementState::kPassword);
  if (in_front && window.focused_element == element.id) described.states.push_back(ElementState::kFocused);
  if (element.selectable) described.states.push_back(ElementState::kSelectable);
  if (element.checked) described.states.push_back(ElementState::kChecked);
  if (element.selected) described.states.push_back(ElementState::kSelected);
  Element container{.role = "scroll pane", .bounds = element.viewport, .states = described.states};
  Viewport viewport;
  viewport.place(container, Drawn::kYes);
  (element.viewport.empty() ? Viewport() : viewport.of_children(container)).place(described, Drawn::kYes);
  described.unplaced = element.unplaced;
  if (!element.unplaced.empty()) described.bounds = described.visible = described.viewport = {};
  return described;
}

}  // namespace

Result<ElementTree> FakeUiTree::read(const std::optional<WindowInfo>& only, const TreeLimits& limits) {
  const std::lock_guard lock(world_.mutex_);
  ElementTree tree;
  for (const FakeWindow& window : world_.windows_) {
    if (only && only->id != window.id) continue;
    for (const FakeElement& element : window.elements) {
      if (tree.elements.size() == limits.max_nodes) {
        tree.truncated = true;
        tree.note = "the node limit was reached";
        return tree;
      }
      tree.elements.push_back(describe(window, element, &window == world_.key_receiver()));
    }
  }
  return tree;
}

Result<FoundElement> FakeUiTree::element_at(const WindowInfo& at, Point point, MonoTime) {
  const std::lock_guard lock(world_.mutex_);
  const FakeWindow* window = world_.find_window(at.id);
  if (window == nullptr || window->answers_late) return FoundElement{{}, window != nullptr};
  for (const FakeElement& element : window->elements) {
    Element described = describe(*window, element, window == world_.key_receiver());
    if (described.visible.contains(point)) return FoundElement{std::move(described)};
  }
  return FoundElement();
}

Result<FoundElement> FakeUiTree::focused(const WindowInfo& in, MonoTime) {
  const std::lock_guard lock(world_.mutex_);
  const FakeWindow* window = world_.find_window(in.id);
  if (window != nullptr && window->answers_late) return FoundElement{{}, true};
  const FakeElement* element = world_.focused_element();
  if (element == nullptr) return FoundElement();
  return FoundElement{describe(*world_.key_receiver(), *element, true)};
}

Result<Element> FakeUiTree::refresh(const ElementHandle& handle, MonoTime) {
  const std::lock_guard lock(world_.mutex_);
  const auto [window, element] = world_.find_element(handle.native);
  if (element == nullptr) return element_gone();
  if (window->unanswered > 0) {
    --window->unanswered;
    return Error{Code::kDeadlineExceeded, "the application does not answer"};
  }
  return describe(*window, *element, window == world_.key_receiver());
}

// Fake texts never scroll, so every range lies within its element.
Result<std::vector<Rect>> FakeUiTree::text_places(const ElementHandle& handle, std::span<const TextRange> ranges,
                                                  MonoTime) {
  const std::lock_guard lock(world_.mutex_);
  const FakeElement* element = world_.find_element(handle.native).second;
  if (element == nullptr) return element_gone();
  return std::vector<Rect>(ranges.size(), element->bounds);
}

Result<void> FakeUiTree::invoke(const ElementHandle& handle, MonoTime) {
  const std::lock_guard lock(world_.mutex_);
  const auto [window, element] = world_.find_element(handle.native);
  if (element == nullptr) return element_gone();
  if (window->acts_by_pointer_alone) return Error{Code::kUnimplemented, "this window has no element actions"};
  world_.note("invoke " + element->name);
  const bool slow = element->slow;
  world_.activate(*window, *element);
  if (slow) return Error{Code::kDeadlineExceeded, "the application does not answer"};
  return ok();
}

Result<void> FakeUiTree::reveal(const ElementHandle& handle, MonoTime) {
  const std::lock_guard lock(world_.mutex_);
  const auto [window, element] = world_.find_element(handle.native);
  if (element == nullptr) return element_gone();
  if (!world_.reveal(*window, *element)) return Error{Code::kUnimplemented, "this window scrolls by the wheel alone"};
  return ok();
}

Result<TextContent> FakeUiTree::content(const ElementHandle& handle, MonoTime) {
  const std::lock_guard lock(world_.mutex_);
  const FakeElement* element = world_.find_element(handle.native).second;
  if (element == nullptr) return element_gone();
  const auto length = decode_utf8(element->text).value_or(std::u32string()).size();
  TextContent content{.length = length, .selected = TextRange{}};
  if (!element->password) content.text = element->text;
  if (element->all_selected) content.selected = TextRange{0, static_cast<std::uint32_t>(length)};
  return content;
}

Result<void> FakeUiTree::select_content(const ElementHandle& handle, MonoTime) {
  const std::lock_guard lock(world_.mutex_);
  FakeElement* element = world_.find_element(handle.native).second;
  if (element == nullptr) return element_gone();
  if (!element->selects_by_tree) return Error{Code::kUnimplemented, "this window selects no text"};
  element->all_selected = true;
  return ok();
}

void FakeUiTree::forget_all() {
  const std::lock_guard lock(world_.mutex_);
  ++world_.forgotten_;
}

}  // namespace da::actuator::fake

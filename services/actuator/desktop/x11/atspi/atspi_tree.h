// The desktop's accessibility tree by AT-SPI, directly on its bus.
//
// Connects at the first call and again after a loss. Without an accessibility bus every tree is empty and its note
// gives the reason. An application that hangs is left out and named in the note. Handles are "unique bus name\npath";
// bus names are never reused, so a handle never names another application's object. Uses the Windows role to find the
// window of an element. One thread at a time (the executor's lock).
#pragma once

#include <map>
#include <memory>

#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/roles/windows.h"
#include "services/actuator/desktop/x11/atspi/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi/atspi_frame_memory.h"
#include "services/actuator/desktop/x11/atspi/atspi_kept.h"
#include "services/actuator/desktop/x11/atspi/atspi_windows.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_applications.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_bus.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_awaited.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_new_dialogs.h"
#include "services/actuator/desktop/x11/screen/screen_changes.h"
#include "services/actuator/desktop/x11/windows/x11_windows.h"

namespace da::actuator::x11 {

class AtspiTree final : public UiTree {
 public:
  AtspiTree(X11Windows& windows, std::unique_ptr<ScreenChanges> changes, const Clock& clock);

  Result<ElementTree> read(const std::optional<WindowInfo>& window, const TreeLimits& limits) override;
  Result<FoundElement> element_at(const WindowInfo& window, Point at, MonoTime deadline) override;
  Result<FoundElement> likely_at(const WindowInfo& window, Point at, MonoTime deadline) override;
  Result<std::optional<Element>> page_cover(const ElementHandle& element, Point at, MonoTime deadline) override;
  Result<std::optional<PageDocument>> document_of(const ElementHandle& element, MonoTime deadline) override;
  Result<FoundElement> focused(const WindowInfo& window, MonoTime deadline) override;
  Result<Element> refresh(const ElementHandle& element, MonoTime deadline) override;
  Result<Element> recall(const ElementHandle& element, const TreeLimits& limits) override;
  Result<std::vector<Rect>> text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                        MonoTime deadline) override;
  bool may_invoke(const ElementHandle& element, MonoTime deadline) override;
  Result<void> invoke(const ElementHandle& element, MonoTime deadline) override;
  Result<void> reveal(const ElementHandle& element, MonoTime deadline) override;
  Result<TextContent> content(const ElementHandle& element, MonoTime deadline) override;
  Result<void> select_content(const ElementHandle& element, MonoTime deadline) override;
  // What it has learned about toolkits stays.
  void forget_all() override { kept_.forget_all(); }
  void let_applications_rest() override;

 private:
  // The parameters of one read().
  struct Question {
    std::optional<WindowInfo> window;
    TreeLimits limits;
    std::vector<DescribedWindow> windows;
  };

  using Use = std::unique_lock<std::mutex>;  // AtspiBus::use().

  // An element, and the collector that asks its application.
  struct Asked {
    AccessibleRef ref;
    Use use;
    AccessibleCollector collector;
  };

  // An object and its place on the desktop.
  struct Placed {
    AccessibleNode node;
    Element element;
    std::optional<PlaceMap> map;  // Maps the application's coordinates to the desktop's; nullopt: unknown.
    std::size_t depth = 0;
  };

  // The bus stays open while it is in use.
  Result<Use> connect();
  Result<Asked> ask(const ElementHandle& element, MonoTime deadline);
  Result<Placed> find(Asked& asked, MonoTime deadline);
  // Adds an application to `tree`, up to max_nodes. Keeps what was read before an error.
  Result<void> read_application(const AtspiApplication& application, const Question& question, ElementTree& tree);
  // Reads at most `room` elements.
  Result<void> read_frames(const AtspiApplication& application, const Question& question,
                           const std::vector<AccessibleNode>& frames, std::size_t room, AccessibleCollector& collector,
                           KeptTree& read);
  // Whether the cached tree is still valid. Uses only the top levels and the last event of `now`.
  Result<bool> is_current(const KeptTree& kept, const KeptTree& now, AccessibleCollector& collector);
  // The windows of one application's top levels.
  Result<std::vector<FrameWindow>> places_of(const std::vector<AccessibleNode>& frames, std::uint32_t pid,
                                             const std::vector<DescribedWindow>& windows);
  // Those of menus, tooltips and other top levels outside of the window manager's list.
  // Sets the place's popups if one of the nodes is a popover that shows.
  Result<void> find_popups(const std::vector<AccessibleNode>& nodes, std::uint32_t pid, FrameWindow& place);
  Result<void> place_unlisted(const std::vector<AccessibleNode>& nodes, const std::vector<AccessibleFrame>& frames,
                              std::vector<FrameWindow>& places);
  // `known` has just been read: it is not asked again if it is the only one.
  Result<std::vector<AccessibleNode>> top_levels(const AtspiApplication& application, AccessibleCollector& collector,
                                                 const AccessibleNode* known = nullptr);
  Result<FoundElement> innermost(const WindowInfo& window, MonoTime deadline,
                                 const std::function<bool(const Element&)>& wanted);
  // The innermost element at a point of an open menu or list, whose window is at `popup`: elements below it do not
  // count. Unread when the application has elements, but none there.
  Result<FoundElement> in_popup(const WindowInfo& window, Point at, const Rect& popup, MonoTime deadline);
  // Asks the application for the element at the point; used when its tree cannot be read in time.
  Result<Element> hit(const WindowInfo& window, Point at, MonoTime deadline);
  Result<std::optional<Placed>> reported_focus(const std::string& bus_name, const WindowInfo& window,
                                               MonoTime deadline);
  Result<std::vector<AccessibleNode>> still_focused(const std::string& bus_name, MonoTime deadline);
  Result<std::vector<AccessibleNode>> line_of(Asked& asked);
  Result<std::vector<AccessibleNode>> with_ancestors(Asked& asked);
  static Result<std::vector<AccessibleNode>> detailed(Asked& asked, std::vector<AccessibleNode> chain);

  X11Windows& windows_;
  const Clock& clock_;
  std::unique_ptr<AtspiBus> bus_;
  KeptTrees kept_;
  AtspiApplications applications_;
  AtspiMemory memory_;
  AwaitedWindows awaited_;
  FrameMemory frame_memory_;
  NewDialogs new_dialogs_;
  // The element that the last search for the focus has found.
  struct FoundFocus {
    AccessibleRef ref;
    MonoTime at;
  };
  FoundFocus found_focus_;
};

}  // namespace da::actuator::x11

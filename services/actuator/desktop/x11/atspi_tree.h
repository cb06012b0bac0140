// The accessibility tree of the desktop by AT-SPI, straight on its bus.
//
// Connects at the first question and again after a loss. Where there is no accessibility bus every tree is empty and
// its note says so. An application that hangs is left out and named in the note. Handles are "unique bus name\npath":
// bus names are never used twice, so a handle cannot come to mean another application's object. Uses the Windows role
// to tell which window an element is in. One thread at a time (the executor's lock).
#pragma once

#include <map>
#include <memory>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/atspi_applications.h"
#include "services/actuator/desktop/x11/atspi_bus.h"
#include "services/actuator/desktop/x11/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi_kept.h"
#include "services/actuator/desktop/x11/atspi_new_dialogs.h"
#include "services/actuator/desktop/x11/atspi_windows.h"
#include "services/actuator/desktop/x11/screen_changes.h"
#include "services/actuator/desktop/x11/x11_windows.h"

namespace da::actuator::x11 {

class AtspiTree final : public UiTree {
 public:
  // `changes` tells what changed on the screen between two looks.
  AtspiTree(X11Windows& windows, std::unique_ptr<ScreenChanges> changes, const Clock& clock);

  Result<ElementTree> read(const std::optional<WindowInfo>& window, const TreeLimits& limits) override;
  Result<FoundElement> element_at(const WindowInfo& window, Point at, MonoTime deadline) override;
  Result<FoundElement> focused(const WindowInfo& window, MonoTime deadline) override;
  Result<Element> refresh(const ElementHandle& element, MonoTime deadline) override;
  Result<Element> recall(const ElementHandle& element, const TreeLimits& limits) override;
  Result<std::vector<Rect>> text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                        MonoTime deadline) override;
  Result<void> invoke(const ElementHandle& element, MonoTime deadline) override;
  Result<void> reveal(const ElementHandle& element, MonoTime deadline) override;

 private:
  // What all parts of one question share.
  struct Question {
    std::optional<WindowInfo> window;
    TreeLimits limits;
    std::vector<DescribedWindow> windows;
  };

  // An element by its handle, and who asks its application.
  struct Asked {
    AccessibleRef ref;
    std::unique_lock<std::mutex> use;  // Of the bus.
    AccessibleCollector collector;
  };

  // One object, and where it is on the desktop.
  struct Placed {
    AccessibleNode node;
    Element element;
    Point offset;  // From the application's coordinates to the desktop's.
    std::size_t depth = 0;
  };

  Result<void> connect();
  Result<Asked> ask(const ElementHandle& element, MonoTime deadline);
  Result<Placed> find(Asked& asked, MonoTime deadline);
  // Adds it to `tree`, which holds max_nodes in the end. What was read before an error is there too.
  Result<void> read_application(const AtspiApplication& application, const Question& question, ElementTree& tree);
  // `room` elements at most.
  Result<void> read_frames(const AtspiApplication& application, const Question& question,
                           const std::vector<AccessibleNode>& frames, std::size_t room, AccessibleCollector& collector,
                           KeptTree& read);
  // Whether an application would be read as it was. Of `now` the top levels and the last event are set.
  Result<bool> still_holds(const KeptTree& kept, const KeptTree& now, AccessibleCollector& collector);
  Result<std::vector<AccessibleNode>> top_levels(const AtspiApplication& application, AccessibleCollector& collector);
  Result<FoundElement> innermost(const WindowInfo& window, MonoTime deadline,
                                 const std::function<bool(const Element&)>& wanted);
  // The application's own answer to what is at the point, for trees that cannot be read in time.
  Result<Element> hit(const WindowInfo& window, Point at, MonoTime deadline);
  Result<std::optional<Placed>> told_focus(const std::string& bus_name, const WindowInfo& window, MonoTime deadline);
  Result<std::vector<AccessibleNode>> still_focused(const std::string& bus_name, MonoTime deadline);
  Result<std::vector<AccessibleNode>> with_ancestors(Asked& asked, MonoTime deadline);

  X11Windows& windows_;
  const Clock& clock_;
  std::unique_ptr<AtspiBus> bus_;
  KeptTrees kept_;
  AtspiApplications applications_;
  AtspiMemory memory_;
  NewDialogs new_dialogs_;
};

}  // namespace da::actuator::x11

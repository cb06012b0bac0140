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
#include "services/actuator/desktop/x11/atspi_bus.h"
#include "services/actuator/desktop/x11/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi_new_dialogs.h"
#include "services/actuator/desktop/x11/atspi_windows.h"
#include "services/actuator/desktop/x11/damage_watch.h"

#include "services/actuator/desktop/x11/x11_windows.h"

namespace da::actuator::x11 {

class AtspiTree final : public UiTree {
 public:
  // `drawn` tells whether anything was drawn between two looks.
  AtspiTree(X11Windows& windows, std::unique_ptr<DamageWatch> drawn, const Clock& clock);

  Result<ElementTree> read(const std::optional<WindowInfo>& window, const TreeLimits& limits) override;
  Result<std::optional<Element>> element_at(const WindowInfo& window, Point at, MonoTime deadline) override;
  Result<std::optional<Element>> focused(const WindowInfo& window, MonoTime deadline) override;
  Result<Element> refresh(const ElementHandle& element, MonoTime deadline) override;
  Result<Element> recall(const ElementHandle& element, const TreeLimits& limits) override;
  Result<std::vector<Rect>> text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                        MonoTime deadline) override;
  Result<void> invoke(const ElementHandle& element, MonoTime deadline) override;
  Result<void> reveal(const ElementHandle& element, MonoTime deadline) override;

 private:
  struct Application {
    AccessibleRef root;
    std::uint32_t pid = 0;
  };
  // What all parts of one question share.
  struct Question {
    std::optional<WindowInfo> window;
    TreeLimits limits;
    std::vector<DescribedWindow> windows;
  };

  // An element by its handle, and who asks its application.
  struct Asked {
    AccessibleRef ref;
    AccessibleCollector collector;
  };

  // One object, and where it is on the desktop.
  struct Placed {
    AccessibleNode node;
    Element element;
    Point offset;  // From the application's coordinates to the desktop's.
  };

  Result<void> connect();
  Result<Asked> ask(const ElementHandle& element, MonoTime deadline);
  Result<Placed> find(Asked& asked, MonoTime deadline);
  Result<std::vector<Application>> applications(MonoTime deadline);
  Result<void> learn_pids(const std::vector<AccessibleRef>& roots, MonoTime deadline);
  Result<void> read_application(const Application& application, const Question& question, ElementTree& tree);
  Result<std::vector<AccessibleNode>> top_levels(const Application& application, AccessibleCollector& collector);
  Result<std::optional<Element>> innermost(const WindowInfo& window, MonoTime deadline,
                                           const std::function<bool(const Element&)>& wanted);
  Result<std::vector<AccessibleNode>> with_ancestors(Asked& asked, MonoTime deadline);

  // An application's elements as they were read, where asking it costs it dearly.
  struct Kept {
    std::vector<Element> elements;
    MonoTime read_at;
  };
  void forget_what_may_have_changed();
  // Null where the application is asked.
  const Kept* kept_of(const std::string& bus_name, Milliseconds max_age) const;

  X11Windows& windows_;
  const std::unique_ptr<DamageWatch> drawn_;
  const Clock& clock_;
  std::unique_ptr<AtspiBus> bus_;
  std::map<std::string, Kept> kept_;           // By unique bus name.
  std::map<std::string, std::uint32_t> pids_;  // By unique bus name.
  AtspiMemory memory_;
  NewDialogs new_dialogs_;
};

}  // namespace da::actuator::x11

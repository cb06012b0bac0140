// Carries out an element's own action, and scrolls it into view.
#include <array>
#include <thread>

#include "lib/base/text.h"
#include "services/actuator/desktop/x11/atspi/atspi_tree.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_scrolled_out.h"

namespace da::actuator::x11 {
namespace {

// The toolkits' names for the action of a click, the best first.
constexpr auto kClickLike =
    std::to_array<std::string_view>({"click", "press", "activate", "toggle", "jump", "open", "showmenu"});

// A button of GTK4 shows itself pressed for this long, and only then tells its program of the click; until then it
// ignores further activations (ACTIVATE_TIMEOUT in gtkbutton.c).
constexpr Milliseconds kGtk4Press{250};

bool is_pressed_for_a_while(std::uint32_t role) {
  const std::string_view name = role_name(role);
  return name == "push button" || name == "toggle button" || name == "link";  // A GtkLinkButton is a button.
}

std::optional<std::size_t> click_like_action(const std::vector<std::string>& actions) {
  for (const std::string_view wanted : kClickLike)
    for (std::size_t i = 0; i < actions.size(); ++i)
      if (fold_case(actions[i]) == wanted) return i;
  return std::nullopt;
}

}  // namespace

bool AtspiTree::may_invoke(const ElementHandle& element, MonoTime deadline) {
  auto asked = ask(element, deadline);
  return !asked || asked->collector.own_actions_may_mean_clicks(asked->ref);
}

Result<void> AtspiTree::invoke(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(const auto chain, with_ancestors(asked));
  if (!asked.collector.own_actions_mean_clicks(asked.ref))
    return Error{Code::kUnimplemented, "actions of this toolkit do not equal clicks: click its place instead"};
  const AccessibleNode& node = chain.back();
  if (node.has_interface("Action") && !is_showing(node.states))
    return Error{Code::kFailedPrecondition, "the element does not show: its action cannot be invoked now"};
  ASSIGN_OR_RETURN(const auto actions, asked.collector.actions(asked.ref));
  const auto action = click_like_action(actions);
  if (!action) return Error{Code::kUnimplemented, "the element has no click-like action: click its place instead"};
  ASSIGN_OR_RETURN(
      const auto reply,
      bus_->call(asked.ref,
                 {kAction, "DoAction",
                  [&](sd_bus_message* m) { (void)sd_bus_message_append(m, "i", static_cast<int>(*action)); }},
                 deadline));
  int done = 0;
  if (sd_bus_message_read(reply.get(), "b", &done) > 0 && done != 0) {
    if (is_pressed_for_a_while(node.role)) {
      std::this_thread::sleep_for(kGtk4Press);
      // An answer after that time shows that a busy application has come to it; the first may have been on its way.
      for (int answers = 0; answers < 2; ++answers) (void)asked.collector.actions(asked.ref);
    }
    return ok();
  }
  return Error{Code::kFailedPrecondition,
               "the application refused the action \"" + escape_foreign(actions[*action]) + "\" of the element"};
}

// GTK3 scrolls no element on request, but the focused one into view. The click that follows gives it the focus anyway.
Result<void> AtspiTree::reveal(const ElementHandle& element, MonoTime deadline) {
  constexpr std::uint32_t kScrollAnywhere = 6;
  constexpr std::size_t kNearestFocusable = 4;  // Objects to try, from a label up to its row.
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  const auto accepts = [&](const AccessibleRef& ref, const Call& call) {
    const auto reply = bus_->call(ref, call, deadline);
    int done = 0;
    if (!reply) {
      const Code why = reply.error().code;
      return why == Code::kNotFound || why == Code::kUnimplemented ? Result<bool>(false) : Result<bool>(reply.error());
    }
    return Result<bool>(sd_bus_message_read(reply->get(), "b", &done) > 0 && done != 0);
  };
  ASSIGN_OR_RETURN(const bool scrolls, accepts(asked.ref, {kComponent, "ScrollTo", [](sd_bus_message* m) {
                                                             (void)sd_bus_message_append(m, "u", kScrollAnywhere);
                                                           }}));
  if (scrolls) return ok();
  ASSIGN_OR_RETURN(const auto chain, with_ancestors(asked));
  const std::size_t farthest = chain.size() > kNearestFocusable ? chain.size() - kNearestFocusable : 0;
  for (std::size_t i = chain.size(); i-- > farthest;) {
    if (!may_be_scrolled_out(chain[i])) break;
    if (!is_focusable(chain[i].states)) continue;
    ASSIGN_OR_RETURN(const bool focused, accepts(chain[i].ref, {kComponent, "GrabFocus"}));
    if (focused) return ok();
  }
  return Error{Code::kUnimplemented, "the application cannot scroll to its elements"};
}

}  // namespace da::actuator::x11

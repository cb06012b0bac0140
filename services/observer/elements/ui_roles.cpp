#include "services/observer/elements/ui_roles.h"

namespace da::observer {
namespace {

bool is_input_role(std::string_view role) {
  return one_of(role, {"button", "push button", "toggle button", "menu button", "push button menu", "radio button",
                       "check box", "switch", "combo box", "page tab", "link", "column header", "table column header",
                       "desktop icon"}) ||
         one_of(role, {"menu", "menu item", "check menu item", "radio menu item", "tear off menu item"}) ||
         one_of(role, {"entry", "password text", "spin button", "slider", "dial", "rating", "date editor"});
}

}  // namespace

bool has_state(const v1::UiNode& node, v1::UiState state) {
  return std::find(node.states().begin(), node.states().end(), state) != node.states().end();
}

bool is_passive(std::string_view role) {
  return one_of(role, {"label", "static", "image", "heading", "separator", "tool tip", "status bar", "caption"});
}

bool is_container(std::string_view role) {
  return one_of(role, {"frame",    "window",        "dialog",    "file chooser", "alert",      "panel",
                       "filler",   "application",   "root pane", "scroll pane",  "split pane", "tool bar",
                       "menu bar", "page tab list", "list",      "table",        "tree",       "layered pane",
                       "viewport", "grouping",      "section",   "form"});
}

bool is_window(std::string_view role) { return one_of(role, {"frame", "window", "dialog", "alert", "file chooser"}); }

bool pops_up(std::string_view role) {
  return one_of(role,
                {"menu", "menu item", "check menu item", "radio menu item", "popup menu", "list item", "tool tip"});
}

bool is_repeated(std::string_view role) {
  return one_of(role, {"list item", "table cell", "tree item", "table row", "icon"});
}

bool takes_input(const v1::UiNode& node, bool has_children) {
  const std::string_view role = node.role();
  if (has_state(node, v1::UI_STATE_EDITABLE)) return true;
  if (is_input_role(role)) return true;
  if (!has_state(node, v1::UI_STATE_FOCUSABLE)) return false;
  if (is_repeated(role) || role == "terminal") return true;
  // Read-only text is focusable too, so that it can be copied.
  const bool quiet = is_passive(role) || is_container(role) ||
                     one_of(role, {"text", "paragraph", "document text", "document web", "document frame", "scroll bar",
                                   "list box", "tree table", "progress bar", "html container", "internal frame"});
  return !quiet && !has_children;
}

}  // namespace da::observer

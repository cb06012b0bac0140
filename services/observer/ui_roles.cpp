#include "services/observer/ui_roles.h"

namespace da::observer {

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
  if (one_of(role, {"push button",
                    "button",
                    "toggle button",
                    "menu button",
                    "push button menu",
                    "check box",
                    "switch",
                    "radio button",
                    "combo box",
                    "menu",
                    "menu item",
                    "page tab",
                    "check menu item",
                    "radio menu item",
                    "tear off menu item",
                    "link",
                    "slider",
                    "spin button",
                    "dial",
                    "date editor",
                    "column header",
                    "desktop icon",
                    "table column header",
                    "rating",
                    "entry",
                    "password text"})) {
    return true;
  }
  if (!has_state(node, v1::UI_STATE_FOCUSABLE)) return false;
  if (is_repeated(role) || role == "terminal") return true;
  // Text that is only read takes the focus too, so that one can copy from it.
  const bool quiet = is_passive(role) || is_container(role) ||
                     one_of(role, {"text", "paragraph", "document text", "document web", "document frame", "scroll bar",
                                   "list box", "tree table", "progress bar", "html container", "internal frame"});
  return !quiet && !has_children;
}

}  // namespace da::observer

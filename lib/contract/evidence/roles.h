// The kinds of elements. Every back end of the desktop names them by this one table: rules, prompts and recordings then
// mean the same on each platform. The names are AT-SPI's, in the order of its numbers (at-spi2-core 2.46,
// atspi-constants.h). Pure; any thread.
#pragma once

#include <array>
#include <string_view>

namespace da::contract {

// clang-format off
inline constexpr auto kRoles = std::to_array<std::string_view>({  // Five per row.
    "invalid", "accelerator label", "alert", "animation", "arrow",
    "calendar", "canvas", "check box", "check menu item", "color chooser",
    "column header", "combo box", "date editor", "desktop icon", "desktop frame",
    "dial", "dialog", "directory pane", "drawing area", "file chooser",
    "filler", "focus traversable", "font chooser", "frame", "glass pane",
    "html container", "icon", "image", "internal frame", "label",
    "layered pane", "list", "list item", "menu", "menu bar",
    "menu item", "option pane", "page tab", "page tab list", "panel",
    "password text", "popup menu", "progress bar", "push button", "radio button",
    "radio menu item", "root pane", "row header", "scroll bar", "scroll pane",
    "separator", "slider", "spin button", "split pane", "status bar",
    "table", "table cell", "table column header", "table row header", "tear off menu item",
    "terminal", "text", "toggle button", "tool bar", "tool tip",
    "tree", "tree table", "unknown", "viewport", "window",
    "extended", "header", "footer", "paragraph", "ruler",
    "application", "autocomplete", "edit bar", "embedded component", "entry",
    "chart", "caption", "document frame", "heading", "page",
    "section", "redundant object", "form", "link", "input method window",
    "table row", "tree item", "document spreadsheet", "document presentation", "document text",
    "document web", "document email", "comment", "list box", "grouping",
    "image map", "notification", "info bar", "level bar", "title bar",
    "block quote", "audio", "video", "definition", "article",
    "landmark", "log", "marquee", "math", "rating",
    "timer", "static", "math fraction", "math root", "subscript",
    "superscript", "description list", "description term", "description value", "footnote",
    "content deletion", "content insertion", "mark", "suggestion", "push button menu",
});
// clang-format on

// A role of the table; another name does not compile.
consteval std::string_view role(std::string_view name) {
  for (const std::string_view known : kRoles)
    if (known == name) return known;
  throw "no such role";
}

}  // namespace da::contract

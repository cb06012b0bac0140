#include "services/actuator/desktop/x11/screen/cursor_names.h"

#include <algorithm>
#include <utility>

namespace da::actuator::x11 {
namespace {

using enum CursorShape;

constexpr std::pair<std::string_view, CursorShape> kNames[] = {
    {"left_ptr", kArrow},
    {"default", kArrow},
    {"arrow", kArrow},
    {"top_left_arrow", kArrow},
    {"right_ptr", kArrow},
    {"xterm", kText},
    {"text", kText},
    {"ibeam", kText},
    {"vertical-text", kText},
    {"hand", kHand},
    {"hand1", kHand},
    {"hand2", kHand},
    {"pointer", kHand},
    {"pointing_hand", kHand},
    {"watch", kBusy},
    {"wait", kBusy},
    {"progress", kBusy},
    {"left_ptr_watch", kBusy},
    {"half-busy", kBusy},
    {"crosshair", kCross},
    {"cross", kCross},
    {"tcross", kCross},
    {"cross_reverse", kCross},
    {"diamond_cross", kCross},
    {"cell", kCross},
    {"plus", kCross},
    {"fleur", kMove},
    {"move", kMove},
    {"all-scroll", kMove},
    {"size_all", kMove},
    {"dnd-move", kMove},
    {"grab", kMove},
    {"grabbing", kMove},
    {"openhand", kMove},
    {"closedhand", kMove},
    {"sb_h_double_arrow", kResize},
    {"sb_v_double_arrow", kResize},
    {"h_double_arrow", kResize},
    {"v_double_arrow", kResize},
    {"double_arrow", kResize},
    {"top_side", kResize},
    {"bottom_side", kResize},
    {"left_side", kResize},
    {"right_side", kResize},
    {"top_left_corner", kResize},
    {"top_right_corner", kResize},
    {"bottom_left_corner", kResize},
    {"bottom_right_corner", kResize},
    {"size_ver", kResize},
    {"size_hor", kResize},
    {"size_bdiag", kResize},
    {"size_fdiag", kResize},
    {"split_h", kResize},
    {"split_v", kResize},
    {"crossed_circle", kForbidden},
    {"forbidden", kForbidden},
    {"not-allowed", kForbidden},
    {"no-drop", kForbidden},
    {"dnd-none", kForbidden},
    {"circle", kForbidden},
    {"question_arrow", kHelp},
    {"help", kHelp},
    {"whats_this", kHelp},
    {"left_ptr_help", kHelp},
};

}  // namespace

CursorShape shape_of_cursor(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, [](const auto& entry) { return entry.first; });
  if (found != std::end(kNames)) return found->second;
  // CSS: n-resize, nesw-resize, col-resize and so on.
  return name.ends_with("-resize") ? kResize : kUnknown;
}

}  // namespace da::actuator::x11

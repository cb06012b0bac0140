#include "services/actuator/privacy/masks.h"

#include <array>

#include "lib/base/name_text.h"
#include "lib/os/files/files.h"
#include "lib/os/process/program_name.h"
#include "services/actuator/privacy/toml_fields.h"

namespace da::actuator {
namespace {

// Larger than any desktop; the sum of two does not overflow.
constexpr std::int64_t kLargestCoordinate = 1 << 20;

Result<Rect> read_rect(const std::string& file, const toml::node& node) {
  const auto* list = node.as_array();
  if (list == nullptr || list->size() != 4) return toml_error(file, node, "rect must be [x, y, width, height]");
  std::array<int, 4> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = list->get(i)->value_exact<std::int64_t>();
    if (!number || *number < -kLargestCoordinate || *number > kLargestCoordinate) {
      return toml_error(file, node, "rect must be four integers, in desktop pixels");
    }
    numbers[i] = static_cast<int>(*number);
  }
  const Rect rect{numbers[0], numbers[1], numbers[2], numbers[3]};
  if (rect.empty()) return toml_error(file, node, "rect is empty");
  return rect;
}

Result<void> read_key(const std::string& file, std::string_view key, const toml::node& node, Mask& mask) {
  if (key == "rect") {
    ASSIGN_OR_RETURN(mask.rect, read_rect(file, node));
  } else if (key == "window") {
    ASSIGN_OR_RETURN(mask.window, toml_pattern(file, node, key));
  } else if (key == "process") {
    ASSIGN_OR_RETURN(mask.process, toml_pattern(file, node, key));
  } else if (key == "element") {
    ASSIGN_OR_RETURN(mask.element, toml_pattern(file, node, key));
  } else if (key == "role") {
    ASSIGN_OR_RETURN(mask.role, toml_pattern(file, node, key));
  } else if (key == "passwords") {
    if (node.value_exact<bool>() != true) return toml_error(file, node, "passwords can only be true");
    mask.passwords = true;
  } else {
    return toml_error(file, node, "unknown key; known are rect, window, process, element, role, passwords");
  }
  return ok();
}

Result<Mask> read_mask(const std::string& file, const toml::table& table) {
  Mask mask;
  for (auto&& [key, node] : table) RETURN_IF_ERROR(read_key(file, key.str(), node, mask));
  const bool of_windows = mask.window || mask.process;
  if (mask.rect && (of_windows || mask.of_elements())) {
    return toml_error(file, table, "rect cannot be combined with other keys");
  }
  if (mask.passwords && (mask.element || mask.role)) {
    return toml_error(file, table, "passwords cannot be combined with element or role");
  }
  if (!mask.rect && !of_windows && !mask.of_elements()) {
    return toml_error(file, table, "the mask is empty: set rect, window, process, element, role or passwords");
  }
  return mask;
}

}  // namespace

bool Mask::covers(const WindowInfo& info) const {
  if (rect) return false;
  // A window of an unknown program may belong to `process`.
  const bool may_be_process = !process || !info.owner_is_known() || process->matches(os::program_name(info.executable));
  return may_be_process && (!window || window->matches(info.title) || window->matches(composed(info.title)));
}

bool Mask::hides_title(const WindowInfo& info) const {
  if (!rect) return whole_window() && covers(info);
  return !info.minimized && !info.bounds.empty() && 2 * intersection(*rect, info.bounds).area() >= info.bounds.area();
}

bool Mask::covers_element(const Element& candidate) const {
  if (passwords) return candidate.has(ElementState::kPassword);
  return (!element || element->matches(candidate.name)) && (!role || role->matches(candidate.role));
}

std::string_view shown_title(const WindowInfo& window) {
  return window.title_is_masked ? std::string_view("(masked)") : std::string_view(window.title);
}

Result<Masks> Masks::load(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(const std::string text, os::read_file(path));
  return parse(text, path.string());
}

Result<Masks> Masks::parse(std::string_view toml, const std::string& name) {
  toml::table root;
  try {
    root = toml::parse(toml, name);
  } catch (const toml::parse_error& failure) {
    const auto& at = failure.source().begin;
    return Error{Code::kInvalidArgument, name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                                             std::string(failure.description())};
  } catch (const std::logic_error& failure) {
    return Error{Code::kInvalidArgument, name + ": " + failure.what()};
  }
  Masks masks;
  ASSIGN_OR_RETURN(const auto tables, toml_tables(name, root, "mask"));
  for (const toml::table* table : tables) {
    ASSIGN_OR_RETURN(auto mask, read_mask(name, *table));
    masks.all_.push_back(std::move(mask));
  }
  return masks;
}

}  // namespace da::actuator

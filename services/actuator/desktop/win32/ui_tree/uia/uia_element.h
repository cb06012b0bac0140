// Converts an element of UI Automation, with its cached properties, to an Element. Asks the application nothing: all
// properties come from the cache, which one call across processes has filled. Any thread of the multithreaded
// apartment.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/win32/ui_tree/uia/uia_interfaces.h"

namespace da::actuator::win32 {

// The properties that a cache request must ask for.
inline constexpr auto kCachedProperties = std::to_array<int>({uia::kRuntimeId,
                                                              uia::kBoundingRectangle,
                                                              uia::kProcessId,
                                                              uia::kControlType,
                                                              uia::kName,
                                                              uia::kHasKeyboardFocus,
                                                              uia::kIsKeyboardFocusable,
                                                              uia::kIsEnabled,
                                                              uia::kIsPassword,
                                                              uia::kIsOffscreen,
                                                              uia::kIsExpandCollapseAvailable,
                                                              uia::kIsInvokeAvailable,
                                                              uia::kIsScrollItemAvailable,
                                                              uia::kIsSelectionItemAvailable,
                                                              uia::kIsToggleAvailable,
                                                              uia::kIsValueAvailable,
                                                              uia::kValue,
                                                              uia::kValueIsReadOnly,
                                                              uia::kExpandCollapseState,
                                                              uia::kIsSelected,
                                                              uia::kToggleState,
                                                              uia::kIsLegacyIAccessibleAvailable,
                                                              uia::kLegacyName,
                                                              uia::kLegacyValue,
                                                              uia::kLegacyRole,
                                                              uia::kLegacyState,
                                                              uia::kLegacyDefaultAction});

// AT-SPI's name for a control type. `editable` tells a text field from a document that is only read.
enum class Editable { kNo, kYes };
std::string_view role_of_control_type(int control_type, Editable editable);

// The element's runtime id as text, such as "42.66052.3"; nullopt when the provider has none, so that nothing
// identifies the element.
std::optional<std::string> runtime_id_of(uia::AutomationElement& element);

// Without handle, parent, window and viewport, which the caller knows. Lying providers are cut to size: names, texts
// and rectangles keep to their limits. UI Automation's own properties come first; LegacyIAccessible tells the name,
// role, text and states that they leave open.
Element element_of(uia::AutomationElement& element);

// The value of kExpandCollapseState; nullopt when the element cannot be expanded or collapsed.
std::optional<int> expand_state_of(uia::AutomationElement& element);

// Whether the default action of LegacyIAccessible exists and does the same as a click.
bool has_clicking_default_action(uia::AutomationElement& element);

}  // namespace da::actuator::win32

// Tells where the UI tree lacks elements that the application has: a click on text that was read there could hit
// something else with that name. Pure; any thread. Desktop pixels.
#pragma once

#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "services/observer/elements/ui_visibility.h"

namespace da::observer {

// Whether the window's application has just started and will expose elements.
bool is_awaited(const v1::UiTree& tree, const v1::Window& window);

// Drops the candidates in a page or window whose elements have not arrived, and in a window whose tree was cut. Whether
// it has dropped all of them.
bool drop_unread(const v1::UiTree& tree, const Scene& scene, std::vector<v1::Candidate>& candidates);

// Drops the candidates that show behind a modal dialog of their page. The elements behind it leave the tree, and the
// dialog takes their clicks. Returns the dialog, such as `the dialog "Sign in"`, if it has dropped all of them; else
// "".
std::string drop_behind_dialogs(const v1::UiTree& tree, std::vector<v1::Candidate>& candidates);

}  // namespace da::observer

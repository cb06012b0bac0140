// The target of a Locate call, and what its kind, number and window leave of the candidates. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/observer_rpc.pb.h"
#include "lib/base/result.h"
#include "services/observer/target.h"
#include "services/observer/ui_visibility.h"

namespace da::observer {

// kInvalidArgument where it names neither a name nor a kind, or an unknown kind.
Result<Target> target_of(const v1::LocateRequest& request);

bool is_wanted_window(const Target& target, const v1::Window* window);

// Of text that was read, only what stands in a wanted window.
void keep_in_window(const Target& target, std::span<const v1::Window* const> windows,
                    std::vector<v1::Candidate>& candidates);

// Keeps the one with the wanted number among the best, or none. Returns what is to be said where there is none.
std::string keep_numbered(const Target& target, std::vector<v1::Candidate>& candidates);

// Why nothing fits, where something would but for its kind or its window; empty where nothing would.
std::string why_not(const v1::UiTree& tree, const Scene& scene, const Target& target);

}  // namespace da::observer

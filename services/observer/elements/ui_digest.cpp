#include "services/observer/elements/ui_digest.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "lib/base/id.h"

namespace da::observer {
namespace {

void append_number(std::string& out, std::int64_t value) {
  out += std::to_string(value);
  out += ',';
}

// The length prefix keeps different lists of texts apart.
void append_text(std::string& out, std::string_view text) {
  append_number(out, static_cast<std::int64_t>(text.size()));
  out += text;
}

}  // namespace

std::string ui_digest(const v1::UiTree& tree) {
  std::string all;
  for (const auto& node : tree.nodes()) {
    append_text(all, node.role());
    append_text(all, node.name());
    append_text(all, node.text());
    std::vector<int> states(node.states().begin(), node.states().end());
    std::sort(states.begin(), states.end());
    append_number(all, static_cast<std::int64_t>(states.size()));
    for (const int state : states) append_number(all, state);
    append_number(all, node.bounds().x());
    append_number(all, node.bounds().y());
    append_number(all, node.bounds().width());
    append_number(all, node.bounds().height());
  }
  return to_hex(blake2b(all, 16));
}

}  // namespace da::observer

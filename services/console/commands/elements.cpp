// elements. Only reads the desktop.
#include <iostream>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/place_text.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/session/look_at_desktop.h"
#include "services/console/terminal/element_text.h"

namespace da::console {
namespace {

// Windows and elements, read at about the same time.
struct Look {
  v1::Observation seen;
  v1::UiTree elements;
};

Result<Look> look(const ElementsOptions& options) {
  Look looked;
  RETURN_IF_ERROR(look_at_desktop({.config = options.config,
                                   .backend = options.backend,
                                   .purpose = "elements: list the elements that a goal can name"},
                                  [&](const ObserverClient& observer) -> Result<void> {
                                    ASSIGN_OR_RETURN(looked.elements, observer.nameable_elements());
                                    ASSIGN_OR_RETURN(looked.seen, observer.observe());
                                    return ok();
                                  }));
  return looked;
}

void print(const v1::Observation& seen, const v1::UiTree& elements, Format format) {
  if (format == Format::kLines) {
    std::cout << element_list(seen, elements) << std::flush;
    return;
  }
  for (const v1::UiNode& node : elements.nodes()) std::cout << element_json(node, window_of(seen, node)) << "\n";
  std::cout << std::flush;
}

Error no_elements(const Look& looked, const std::string& title) {
  std::string titles;
  for (const v1::Window& window : looked.seen.windows()) {
    titles += (titles.empty() ? "" : ", ") + quote_foreign(window.title());
  }
  const std::string note =
      looked.elements.note().empty() ? "" : " (" + escape_foreign(looked.elements.note(), 200) + ")";
  const std::string where = title.empty() ? "" : " in a window whose title contains " + quote_foreign(title);
  return {Code::kNotFound,
          "no visible element has a name" + where + note + "; open: " + (titles.empty() ? "none" : titles)};
}

int pick(const Look& looked, Format format) {
  const Point at = contract::from_proto(looked.seen.cursor());
  const auto found = element_at(looked.seen, looked.elements, at);
  if (!found) {
    return report({Code::kNotFound, "nothing that has a name is under the pointer, " + contract::place_text(at)});
  }
  const v1::Window* const window = window_of(looked.seen, *found);
  if (format == Format::kJson) {
    std::cout << element_json(*found, window) << std::endl;
    return kDone;
  }
  std::cout << element_text(*found) << (window == nullptr ? "" : "\n  in " + window_text(*window)) << std::endl;
  return kDone;
}

}  // namespace

int show_elements(const ElementsOptions& options) {
  ASSIGN_OR_REPORT(const auto looked, look(options));
  if (options.pick) return pick(looked, options.format);
  const v1::UiTree chosen =
      options.title.empty() ? looked.elements : elements_in(looked.seen, looked.elements, options.title);
  if (chosen.nodes().empty()) return report(no_elements(looked, options.title));
  print(looked.seen, chosen, options.format);
  return kDone;
}

}  // namespace da::console

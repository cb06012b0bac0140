// elements. Only reads the desktop.
#include <iostream>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/place_text.h"
#include "lib/contract/task_token.h"
#include "lib/os/process/local_person.h"
#include "services/console/commands/commands.h"
#include "services/console/exit_codes.h"
#include "services/console/session/embedded_services.h"
#include "services/console/session/run_directory.h"
#include "services/console/session/session.h"
#include "services/console/terminal/element_text.h"

namespace da::console {
namespace {

constexpr std::uint32_t kLongestLookSeconds = 60;

// Windows and elements, read at about the same time.
struct Look {
  v1::Observation seen;
  v1::UiTree elements;
};

Result<Look> look(const Session& session, const std::string& observation_token) {
  ASSIGN_OR_RETURN(const auto channel, session.channel_to("observer"));
  const ObserverClient observer(channel, observation_token);
  ASSIGN_OR_RETURN(auto elements, observer.nameable_elements());
  ASSIGN_OR_RETURN(auto seen, observer.observe());
  return Look{std::move(seen), std::move(elements)};
}

// Opens a task for this look, because the observer serves only open tasks. The task is in the audit log. Its time limit
// ends it if close_task fails.
Result<Look> look(const Session& session) {
  v1::OpenTaskRequest request;
  request.set_goal("elements: list the elements that a goal can name");
  request.set_opened_by(os::local_person());
  request.set_dry_run(true);
  request.mutable_limits()->set_time_s(kLongestLookSeconds);
  ASSIGN_OR_RETURN(const auto task, session.policy().open_task(request));
  auto looked = look(session, contract::observation_token(task.task_token()));
  RETURN_IF_ERROR(session.policy().close_task(task.task_token()));
  return looked;
}

// Uses the live run, or starts services just for this look.
Result<Look> look(const ElementsOptions& options) {
  std::optional<EmbeddedServices> embedded;
  if (options.config.empty() && RunDirectory::live().empty()) {
    ASSIGN_OR_RETURN(auto started, EmbeddedServices::start({.backend = options.backend,
                                                            .only = {{"actuator", "observer", "policy"}},
                                                            .recorded = false}));
    embedded.emplace(std::move(started));
  }
  ASSIGN_OR_RETURN(const auto session, Session::open(embedded ? embedded->console_config() : options.config));
  return look(session);
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

// Text from a hostile planner and titles of hostile windows, as the rules see them: confusables, editing keys, and
// dialogs that start programs. Each line of the rest is text to type after "=", a sequence of key names after "#", else
// a chord of key names.
#include <cstdint>
#include <sstream>
#include <string>

#include "lib/base/text.h"
#include "lib/contract/json/parse.h"
#include "services/policy/judgement/caret_model.h"
#include "services/policy/judgement/confusables.h"
#include "services/policy/judgement/subject.h"
#include "services/policy/judgement/typing_history.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;

da::v1::Action action_of(const std::string& line) {
  da::v1::Action action;
  if (line.starts_with('=')) {
    action.mutable_write()->set_text(line.substr(1));
    return action;
  }
  const bool taps = line.starts_with('#');
  std::istringstream words(taps ? line.substr(1) : line);
  for (std::string word; words >> word;) {
    if (taps) {
      action.mutable_press()->add_keys(word);
    } else {
      action.mutable_hotkey()->add_keys(word);
    }
  }
  return action;
}

void check_readings(const std::string& text) {
  const auto readings = da::policy::readings_of(text);
  require(readings.size() <= 64, "a text has few readings");
  for (const std::string& reading : readings) {
    require(da::is_valid_utf8(reading), "a reading is a text");
    require(reading != text, "a reading differs from what is written");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  da::policy::TypingHistory history;
  da::v1::Evidence evidence;
  evidence.mutable_foreground()->set_window_id("w");
  for (std::string line; std::getline(lines, line);) {
    check_readings(line);
    const da::v1::Action action = action_of(line);
    if (!da::contract::validate(action)) continue;
    da::policy::Circumstances circumstances;
    circumstances.earlier = history.before("t", evidence);
    require(da::policy::typed_of(circumstances.earlier.strokes.front()) == circumstances.earlier.text,
            "text is of its strokes");
    require(da::policy::subject_of("write", action, &evidence, circumstances).has_value(),
            "a valid step has a subject");
    if (const auto launch = da::policy::launch_typed_by(action, circumstances)) {
      require(!launch->process->actual.empty() && !launch->command->actual.empty(), "a launch starts something");
    }
    history.add("t", action, evidence);
  }
  return 0;
}

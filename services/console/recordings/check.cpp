#include <iostream>

#include "lib/base/text.h"
#include "lib/recording/reading/recording_check.h"
#include "lib/recording/reading/recovery.h"
#include "services/console/exit_codes.h"
#include "services/console/recordings/commands.h"
#include "services/console/recordings/find_recording.h"
#include "services/console/recordings/summary_text.h"

namespace da::console {
namespace {

constexpr std::size_t kFaultWidth = 1000;

std::string count_of(std::uint64_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace

int check_recording(const std::string& given) {
  ASSIGN_OR_REPORT(const auto path, find_recording(given));
  ASSIGN_OR_REPORT(const auto file, recording::McapFile::open(path));
  const auto counts = recording::check_recording(
      file, [](const std::string& fault) { std::cout << "fault: " << escape_foreign(fault, kFaultWidth) << "\n"; });
  if (counts.of_other_tasks > 0) {
    std::cout << "note: " << counts.of_other_tasks
              << " numbers of facts are left out: the facts of other tasks that ran at the same time\n";
  }
  std::cout << (counts.faults == 0 ? "intact: " : "not intact: " + count_of(counts.faults, "fault") + ": ")
            << count_of(counts.messages, "message") << ", " << count_of(counts.facts, "fact") << ", "
            << count_of(counts.lost, "fact") << " marked as lost\n";
  if (counts.faults > 0) {
    std::cout << "to keep what can be read: da-console recording recover " << quote_foreign(path.string(), 500)
              << " -o NEW.mcap\n";
  }
  return counts.faults == 0 ? kDone : kTaskFailed;
}

int recover_recording(const std::string& given, const std::filesystem::path& output) {
  ASSIGN_OR_REPORT(const auto path, find_recording(given));
  ASSIGN_OR_REPORT(const auto file, recording::McapFile::open(path));
  ASSIGN_OR_REPORT(const auto recovery, recording::recover(file, output));
  for (const auto& damage : recovery.damage) {
    std::cout << "skipped " << count_of(damage.size, "byte") << " at byte " << damage.offset << ": "
              << escape_foreign(damage.why, kFaultWidth) << "\n";
  }
  if (recovery.undefined > 0) {
    std::cout << "dropped " << count_of(recovery.undefined, "message")
              << ": the definitions of their channels are lost\n";
  }
  if (recovery.missing_facts > 0) std::cout << "missing: " << count_of(recovery.missing_facts, "fact") << "\n";
  if (recovery.lost > 0) std::cout << "marked as lost: " << count_of(recovery.lost, "fact") << "\n";
  if (!recovery.had_end) std::cout << "the end is missing: how many facts are lost there is not known\n";
  std::cout << "recovered " << count_of(recovery.messages, "message") << ", " << count_of(recovery.facts, "fact")
            << " and " << count_of(recovery.attachments, "attachment") << " into " << output.string() << "\n";
  return kDone;
}

}  // namespace da::console

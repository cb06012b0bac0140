#include "services/console/commands/task_run.h"

#include "lib/base/text.h"
#include "lib/os/files/files.h"
#include "lib/os/process/local_person.h"
#include "services/console/shell_word.h"
#include "services/console/terminal/questions/approval_pictures.h"

namespace da::console {
namespace {

// The longest wait for the last facts after the result.
constexpr Milliseconds kLastFacts{2000};
constexpr Milliseconds kRecordingCompletes{4000};

// Names the recording of a task that has ended, and the command for its report; empty if there is none.
std::string recording_text(const Session& session, const std::string& task_id) {
  const auto channel = session.channel_to("recorder");
  if (!channel) return {};
  // The first call does not wait for the end of the recording, so that a hanging recorder is noticed sooner.
  auto recording = find_recording(*channel, task_id, Milliseconds(0));
  if (recording && !recording->complete()) recording = find_recording(*channel, task_id, kRecordingCompletes);
  if (!recording && recording.error().code == Code::kNotFound) return {};
  if (!recording) {
    return "recording: not complete: " + escape_foreign(recording.error().message, 300) +
           "; da-console recordings lists what was written";
  }
  return "recording: " + recording->file() + (recording->complete() ? "" : ", not complete yet") +
         (recording->lost() > 0 ? ", " + std::to_string(recording->lost()) + " facts are missing" : "") +
         "\nreport: da-console report " + shell_word(recording->file()) + " -o report.html";
}

// Saves the last screenshot and returns its path; nullopt if there is none.
std::optional<std::string> save_image(const std::optional<v1::ImageFact>& image, const std::string& task_id) {
  if (!image) return std::nullopt;
  const auto directory = os::state_directory() / "screenshots";
  const auto file = directory / (task_id + (image->media_type() == "image/jpeg" ? ".jpg" : ".png"));
  if (!os::make_private_directory(directory) || !os::write_private_file(file, image->data())) return std::nullopt;
  return file.string();
}

}  // namespace

// Rounds up, because 0 would mean the services' default.
std::uint32_t time_limit_s(const GoalOptions& options) {
  return static_cast<std::uint32_t>(std::chrono::ceil<std::chrono::seconds>(options.time_limit).count());
}

Result<std::optional<EmbeddedServices>> start_embedded(const GoalOptions& options) {
  if (!options.config.empty()) return std::optional<EmbeddedServices>();
  EmbeddedOptions embedded = options.embedded;
  embedded.question_expiry = options.approval_expiry;
  ASSIGN_OR_RETURN(auto services, EmbeddedServices::start(embedded));
  return std::optional<EmbeddedServices>(std::move(services));
}

Result<v1::OpenTaskReply> open_task(const Session& session, const GoalOptions& options, const std::string& planner) {
  v1::OpenTaskRequest request;
  request.set_goal(options.goal);
  request.set_unlock_writes(options.unlock_writes);
  request.set_dry_run(options.dry_run);
  request.set_approval_expiry_ms(static_cast<std::uint32_t>(options.approval_expiry.count()));
  request.set_opened_by(os::local_person());
  for (const std::string& tool : options.allowed_tools) request.add_allowed_tools(tool);
  v1::TaskLimits& limits = *request.mutable_limits();
  limits.set_steps(options.max_steps);
  limits.set_time_s(time_limit_s(options));
  limits.set_steps_per_second(options.max_steps_per_second);
  limits.set_text_characters(options.max_characters);
  limits.set_launches(options.max_launches);
  request.set_planner(planner);
  return session.policy().open_task(request);
}

// The tasks before this one; empty if it begins at once.
std::string turn_text(const v1::StartTaskReply& started) {
  if (started.running_task_id().empty() && started.waiting_before() == 0) return {};
  std::string text = "waits for its turn on this desktop: ";
  if (!started.running_task_id().empty()) {
    text += "task " + escape_foreign(started.running_task_id(), 60) + " (" + quote_foreign(started.running_goal(), 80) +
            ") runs";
  }
  const auto others = started.waiting_before();
  if (others > 0) {
    text += (started.running_task_id().empty() ? "" : ", and ") + std::to_string(others) +
            (others == 1 ? " task waits before it" : " tasks wait before it");
  }
  return text;
}

Followed follow_task(const TaskRun& run, Terminal terminal) {
  auto& embedded = run.embedded;
  TaskFollower follower(
      run.session, run.task.task_id(), embedded ? embedded->descriptors() : std::vector<int>(),
      [&] { return embedded ? embedded->find_dead() : std::nullopt; }, [&] { return run.events.question_is_open(); },
      [&](MonoTime deadline) { return run.events.step_is_in_doubt(deadline); }, run.status, terminal);
  return follower.follow();
}

int finish_task(const TaskRun& run, Followed followed, const GoalOptions& options, std::ostream& people) {
  // The kill switch ends the actuator's process, and its first key may already have interrupted the step.
  // kOutcomeUnknown is returned unchanged.
  const bool stopped = followed.exit_code == kServiceLost || followed.exit_code == kTaskFailed;
  const bool halted = followed.result && followed.result->end() == v1::TASK_END_HALTED;
  if (stopped && (halted || run.events.actuator_is_halted())) {
    followed.exit_code = kHalted;
    // After the kill switch, the message would only say that the actuator's process ended.
    if (const std::string why = run.events.halt_reason(); !halted && !why.empty()) followed.message = "halted: " + why;
  }
  if (followed.result) run.events.wait_for_end(*followed.result, system_clock().now() + kLastFacts);
  run.status.hold();
  const auto closed = run.session.policy().close_task(run.task.task_token());
  // Services that keep running would keep the pictures: listing the approvals deletes old ones.
  if (closed && !run.embedded) {
    static_cast<void>(pending_approvals(run.session.policy(), ApprovalPictures::of(run.session.config_file())));
  }
  people << (followed.exit_code == kDone ? "done: " : "not done: ") << escape_foreign(followed.message, 4000) << "\n";
  if (followed.exit_code != kDone && followed.result && followed.result->steps() > 0) {
    people << "steps that were carried out before: " << followed.result->steps() << "\n";
  }
  if (followed.exit_code == kHalted) people << "the halt stays until it is cleared: da-console resume\n";
  if (const auto file = save_image(run.events.last_image(), run.task.task_id()))
    people << "last screenshot: " << *file << "\n";
  if (!run.embedded || options.embedded.recorded) {
    if (const std::string text = recording_text(run.session, run.task.task_id()); !text.empty()) people << text << "\n";
  }
  people << std::flush;
  return followed.exit_code;
}

}  // namespace da::console

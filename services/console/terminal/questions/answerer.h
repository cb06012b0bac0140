// Asks the person at the terminal about approvals and models' questions, one after another, and sends the answers.
// Reads whole lines, so that a stray key is no answer. Without a terminal it only prints the commands that answer. The
// person may also type "pause" and "resume"; while a model's question is asked, only "pause", as the whole line.
// Owner's thread.
#pragma once

#include <termios.h>

#include <optional>
#include <string>
#include <vector>

#include "da/v1/planner_rpc.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "services/console/session/clients_rpc.h"
#include "services/console/terminal/questions/approval_pictures.h"
#include "services/console/terminal/questions/pending_queue.h"

namespace da::console {

// During its lifetime the terminal delivers each key at once (non-canonical mode), so that a half-typed line is
// noticed. Ctrl+C and other signals still work. The destructor drops unread input. The terminal must outlive the
// object.
class EachKey {
 public:
  explicit EachKey(int terminal);
  EachKey(const EachKey&) = delete;
  EachKey& operator=(const EachKey&) = delete;
  ~EachKey();

 private:
  const int terminal_;
  std::optional<termios> before_;  // Set if the mode was changed.
};

// kShows: stdin has another use, so questions are printed as without a terminal.
enum class Terminal { kAsks, kShows };

class Answerer {
 public:
  // All must outlive it.
  Answerer(const PolicyClient& policy, const PlannerClient& planner, const ApprovalPictures& pictures,
           Terminal terminal = Terminal::kAsks);
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;

  // STDIN if there is a terminal, else -1.
  int descriptor() const { return descriptor_; }

  // Shows new entries of that kind, and drops entries that were answered elsewhere.
  void update(const v1::ListPendingReply& approvals);
  void update(const v1::ListQuestionsReply& questions);
  // True while a question is asked or typed text is dropped.
  bool is_busy() const { return queue_.asked() != nullptr || queue_.waits_for_quiet(); }
  // Call when the descriptor is readable.
  void read_answer();

 private:
  void refresh(PendingQueue::Kind kind, const std::vector<std::string>& ids, const PendingQueue::Make& make);
  void take(const std::string& line);
  void discard_typed();
  // Carries out "pause" or "resume"; false for any other line.
  bool run_command(const std::string& line);
  void pause(const std::string& reason);
  void resume();

  const PolicyClient& policy_;
  const PlannerClient& planner_;
  const ApprovalPictures& pictures_;
  int descriptor_;
  std::string typed_;
  PendingQueue queue_;
  std::optional<EachKey> each_key_;  // While the queue waits for quiet.
};

}  // namespace da::console

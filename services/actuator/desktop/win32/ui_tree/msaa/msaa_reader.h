// Asks windows for what they tell by MSAA, each with a limit of time. One thread; valid for one question to the tree.
#pragma once

#include <windows.h>

#include <string>
#include <vector>

#include "lib/base/result.h"
#include "services/actuator/desktop/win32/ui_tree/abandonable_worker.h"
#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_client.h"
#include "services/actuator/desktop/win32/ui_tree/window_question.h"

namespace da::actuator::win32 {

using MsaaWorker = AbandonableWorker<MsaaClient>;

class MsaaReader {
 public:
  // A window gets this much time for all of its objects, and the object that is then being read, which takes several
  // calls, this much more.
  static constexpr Milliseconds kLongest{1'200};
  static constexpr Milliseconds kGrace{300};

  // `worker`: null where MSAA is not used. `question`, which must outlive it, sends the first message to each window.
  MsaaReader(MsaaWorker* worker, WindowQuestion& question, MonoTime deadline, const Clock& clock)
      : worker_(worker), question_(question), deadline_(deadline), clock_(clock) {}

  // The name of the window's own object; empty when it has none.
  std::wstring name(HWND window);
  // The window's own object. kNotFound: the window has none. Any other error: it may have one, which was not read.
  Result<MsaaNode> object(HWND window);
  // All objects in it, at most `limit`.
  std::vector<MsaaNode> descendants(HWND window, std::size_t limit);
  // The object at the path, or the innermost one that has the focus or is at the point, after its ancestors in the
  // window; empty when there is none.
  std::vector<MsaaNode> at_path(HWND window, const MsaaPath& path);
  std::vector<MsaaNode> at_point(HWND window, Point point);
  std::vector<MsaaNode> at_focus(HWND window);

  // Whether an application has not answered. After that, no window is asked any more.
  bool was_silent() const { return silent_; }
  // Why an answer is incomplete; empty when all are complete.
  const std::string& truncated() const { return truncated_; }

 private:
  // Errors: as of object().
  Result<std::vector<MsaaNode>> ask(HWND window, MsaaQuestion question);
  std::vector<MsaaNode> nodes(HWND window, MsaaQuestion question);
  void truncate(const std::string& why);

  MsaaWorker* const worker_;
  WindowQuestion& question_;
  const MonoTime deadline_;
  const Clock& clock_;
  bool silent_ = false;
  std::string truncated_;
};

}  // namespace da::actuator::win32

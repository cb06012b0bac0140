// Reads the accessible object (IAccessible) that a window has answered WM_GETOBJECT with: Microsoft Active
// Accessibility, MSAA.
//
// Every method may hang as long as an application does, and belongs to one thread of the multithreaded apartment:
// AbandonableWorker calls it. All answers are the application's own, so they are cut to size: at most kMostChildren
// children of an object, kDeepest levels, and the question's number of nodes. Masked values are never asked for.
#pragma once

#include <windows.h>
// windows.h must come first:
#include <oleacc.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/win32/base/com_ptr.h"

namespace da::actuator::win32 {

// The positions of an object and its ancestors among their parents' children, from the window's object down. Empty: the
// window's object itself.
using MsaaPath = std::vector<int>;

struct MsaaNode {
  MsaaPath path;
  std::int64_t role = 0;   // ROLE_SYSTEM_*; 0: none, or a name of the application's own.
  std::int64_t state = 0;  // STATE_SYSTEM_*; protected if the object does not tell.
  std::wstring name;       // Limited to kLongestName units.
  std::wstring value;      // Read only of unprotected text fields and combo boxes; at most kLongestValue units.
  Rect bounds;
};

struct MsaaQuestion {
  enum class About {
    kName,         // The name of the window's object; nothing else of it is read.
    kObject,       // The window's object itself.
    kDescendants,  // All objects in the window.
    kPath,         // The object at `path`, after its ancestors in the window.
    kPoint,        // The innermost object at `point`, after its ancestors in the window.
    kFocus         // The innermost object that has the focus, after its ancestors in the window.
  };

  HWND window = nullptr;
  LRESULT reference = 0;  // The answer to WM_GETOBJECT; good for one question.
  About about = About::kObject;
  MsaaPath path;
  Point point;
  std::size_t most_nodes = 1;
  MonoTime deadline;
};

struct MsaaAnswer {
  // Parents before children, without objects of other windows and those in protected objects. Empty if there is none.
  std::vector<MsaaNode> nodes;
  std::string truncated;  // Why; empty when it is complete.
};

class MsaaClient {
 public:
  static constexpr int kMostChildren = 500;
  static constexpr int kDeepest = 16;
  static constexpr std::size_t kLongestName = 500;
  static constexpr std::size_t kLongestValue = 4000;

  // `clock` must outlive abandoned threads.
  explicit MsaaClient(const Clock& clock) : clock_(clock) {}

  // kInternal: the application's answer to WM_GETOBJECT leads to no object.
  Result<MsaaAnswer> ask(const MsaaQuestion& question);

 private:
  const Clock& clock_;
};

}  // namespace da::actuator::win32

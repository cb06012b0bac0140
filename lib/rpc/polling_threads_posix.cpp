#include "lib/rpc/polling_threads.h"

namespace da::rpc {

// Every further polling thread would be woken needlessly.
int most_polling_threads() { return 1; }

}  // namespace da::rpc

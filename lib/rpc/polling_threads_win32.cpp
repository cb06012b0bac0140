#include "lib/rpc/polling_threads.h"

namespace da::rpc {

// No thread exits: Wine ends the reads that a thread has begun on connections when the thread exits. The connection was
// then lost, or received nothing more. Windows itself ends no reads of a completion port.
int most_polling_threads() { return 1'000; }

}  // namespace da::rpc

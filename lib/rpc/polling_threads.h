// How many threads of a server may wait for calls at the same time. A thread whose call has ended exits if there are
// already so many.
#pragma once

namespace da::rpc {

int most_polling_threads();

}  // namespace da::rpc

// Finds the readings of a text: a person reads "Pаy" with a Cyrillic letter, "Pay" with an invisible character,
// "Ｐａｙ" in full width, "De1ete", "DeIete" with a capital i, and "eteleD" after a right-to-left mark as "pay" and
// "delete". Rules must match these readings too.
//
// Readings follow Unicode: compatibility forms are decomposed (NFKD), invisible characters and marks on letters are
// dropped, letters that are confusable with a Latin one (UTS 39) are replaced, and the case is folded. Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace da::policy {

// Returns readings in lower case, the likeliest first; several if a character may be an i or an l. Empty if the text
// reads as it is written. Invalid UTF-8 bytes are read as U+FFFD.
std::vector<std::string> readings_of(std::string_view text);

}  // namespace da::policy

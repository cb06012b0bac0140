#include "services/policy/judgement/confusables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/base/text.h"

namespace da::policy {
namespace {

TEST(Confusables, UnambiguousTextHasNoReadings) {
  for (const char* text :
       {"", "Delete", "rm -rf ~", "Save 10 files", "v1.0", "löschen?", "삭제", "削除", "发送", "12|34"}) {
    for (const auto& read : readings_of(text)) {
      EXPECT_TRUE(read == "loschen?" || read == "löschen?" || fold_case(text) == read) << text << " became " << read;
    }
  }
  for (const char* text : {"Delete", "Install", "Load all files", "ALL", "Illness"}) {
    EXPECT_THAT(readings_of(text), testing::IsEmpty()) << text;
  }
}

TEST(Confusables, LettersThatLookLatinAreReadAsLatin) {
  const std::pair<const char*, const char*> cases[] = {
      {"Dеlеtе", "delete"},              // Cyrillic ie
      {"РАУ", "pay"},                    // Cyrillic capitals
      {"Ѕеnd", "send"},                  // Cyrillic dze
      {"Βuy", "buy"},                    // Greek capital beta
      {"ВUY", "buy"},                    // Cyrillic capital ve
      {"Іnstall", "install"},            // Ukrainian capital i
      {"ｄｅｌｅｔｅ", "delete"},        // full width
      {"𝐝𝐞𝐥𝐞𝐭𝐞", "delete"},              // mathematical bold
      {"D\u0332e\u0332lete", "delete"},  // underlined by marks
      {"De\u200blete", "delete"},        // zero width space
      {"P\u00aday", "pay"},              // soft hyphen
      {"\u202ePay\u202c", "pay"},        // bidirectional marks
      {"De1ete", "delete"},              // digit
      {"f0rmat", "format"},
      {"삭\u200b제", "삭제"},
      {"Lo\u0308schen", "löschen"},
      {"L\u0332ös\u200bchen", "löschen"},
      {"Deleте", "delete"},  // Cyrillic te, like a small capital
      {"ﬁnish", "finish"},   // ligature
      {"DeIete", "delete"},  // capital i
      {"CONFlRM", "confirm"},
      {"Conf1rm", "confirm"},
      {"lnstall", "install"},
      {"Un1nsta1l", "uninstall"},
      {"D3l3te", "delete"},
      {"5end", "send"},
      {"P@y", "pay"},
      {"\u202eeteleD", "delete"},  // right to left
      {"\u202eeteleD\u202c", "delete"},
      {"D\u20dde\u20ddl\u20ddete", "delete"},  // in circles
      {"🅳🅴🅻🅴🆃🅴", "delete"},
      {"🇵🇦🇾", "pay"},
      {"ᴅᴇʟᴇᴛᴇ", "delete"},
      {"ᵈᵉˡᵉᵗᵉ", "delete"},
  };
  for (const auto& [text, reads] : cases) {
    EXPECT_THAT(readings_of(text), testing::Contains(reads)) << text;
  }
}

TEST(Confusables, InvalidUtf8HasReadings) {
  EXPECT_THAT(readings_of("pay\xff"), testing::Contains("pay\xef\xbf\xbd"));
  EXPECT_THAT(readings_of("\xc3"), testing::SizeIs(1));
}

TEST(Confusables, AmbiguousCharactersGiveFewReadings) {
  EXPECT_LE(readings_of(std::string(5'000, 'a') + "1a1a1a1a").size(), 16U);
  std::string many;
  for (int i = 0; i < 5'000; ++i) many += "a1";
  EXPECT_LE(readings_of(many).size(), 2U);
}

}  // namespace
}  // namespace da::policy

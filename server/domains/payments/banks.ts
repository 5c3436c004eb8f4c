import { localText, type LocaleCode, type LocalText } from "#shared/locales.ts";

/** A bank that money can be sent to: its code on the wire, the language of its country, and its name. */
interface Bank {
  value: string;
  home: LocaleCode;
  name: LocalText;
}

/** A bank's own name, and what others call it: in Latin letters, and by the characters that Chinese readers know. */
const named = (value: string, home: "ko_kr" | "ja_ja", [own, en, abroad, cn, tw]: readonly string[]): Bank => ({
  value,
  home,
  name: { [home]: own!, en_us: en!, [home === "ko_kr" ? "ja_ja" : "ko_kr"]: abroad!, zh_cn: cn!, "zh-tw": tw! },
});

const vietnamese = (value: string, name: string): Bank => ({ value, home: "vn_vn", name });

/** Every bank that an account may be bound at, by country. */
const BANKS: readonly Bank[] = [
  vietnamese("vn_vcb", "Vietcombank"),
  vietnamese("vn_bidv", "BIDV"),
  vietnamese("vn_ctg", "VietinBank"),
  vietnamese("vn_agr", "Agribank"),
  vietnamese("vn_tcb", "Techcombank"),
  vietnamese("vn_mb", "MB Bank"),
  vietnamese("vn_acb", "ACB"),
  vietnamese("vn_vpb", "VPBank"),
  named("kr_kb", "ko_kr", ["KB국민은행", "KB Kookmin Bank", "KB国民銀行", "KB国民银行", "KB國民銀行"]),
  named("kr_shinhan", "ko_kr", ["신한은행", "Shinhan Bank", "新韓銀行", "新韩银行", "新韓銀行"]),
  named("kr_woori", "ko_kr", ["우리은행", "Woori Bank", "ウリ銀行", "友利银行", "友利銀行"]),
  named("kr_hana", "ko_kr", ["하나은행", "Hana Bank", "ハナ銀行", "韩亚银行", "韓亞銀行"]),
  named("kr_nh", "ko_kr", ["NH농협은행", "NH NongHyup Bank", "NH農協銀行", "NH农协银行", "NH農協銀行"]),
  named("kr_ibk", "ko_kr", [
    "IBK기업은행",
    "IBK Industrial Bank of Korea",
    "IBK企業銀行",
    "IBK企业银行",
    "IBK企業銀行",
  ]),
  named("jp_mufg", "ja_ja", ["三菱UFJ銀行", "MUFG Bank", "미쓰비시UFJ은행", "三菱日联银行", "三菱日聯銀行"]),
  named("jp_smbc", "ja_ja", [
    "三井住友銀行",
    "SMBC (Sumitomo Mitsui)",
    "미쓰이스미토모은행",
    "三井住友银行",
    "三井住友銀行",
  ]),
  named("jp_mizuho", "ja_ja", ["みずほ銀行", "Mizuho Bank", "미즈호은행", "瑞穗银行", "瑞穗銀行"]),
  named("jp_resona", "ja_ja", ["りそな銀行", "Resona Bank", "리소나은행", "里索那银行", "里索那銀行"]),
  named("jp_post", "ja_ja", ["ゆうちょ銀行", "Japan Post Bank", "유초은행", "日本邮储银行", "日本郵儲銀行"]),
  named("jp_rakuten", "ja_ja", ["楽天銀行", "Rakuten Bank", "라쿠텐은행", "乐天银行", "樂天銀行"]),
];

const byCode = new Map(BANKS.map((bank) => [bank.value, bank]));

/** A bank's name for a reader, and without one its own name; undefined when there is no such code. */
export function bankName(code: string, locale?: LocaleCode): string | undefined {
  const bank = byCode.get(code);
  return bank && localText(bank.name, locale ?? bank.home);
}

/** Every bank by its name for a reader, those of the reader's own country first. */
export function banksFor(locale: LocaleCode): { value: string; text: string }[] {
  const ofHome = BANKS.filter(({ home }) => home === locale);
  const others = BANKS.filter(({ home }) => home !== locale);
  return [...ofHome, ...others].map(({ value, name }) => ({ value, text: localText(name, locale) }));
}

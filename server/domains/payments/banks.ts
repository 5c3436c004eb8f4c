/** A bank that money can be sent to: its code on the wire and its name. */
interface Bank {
  value: string;
  text: string;
}

/** Every bank that an account may be bound at, by country. */
export const BANKS: readonly Bank[] = [
  { value: "vn_vcb", text: "Vietcombank" },
  { value: "vn_bidv", text: "BIDV" },
  { value: "vn_ctg", text: "VietinBank" },
  { value: "vn_agr", text: "Agribank" },
  { value: "vn_tcb", text: "Techcombank" },
  { value: "vn_mb", text: "MB Bank" },
  { value: "vn_acb", text: "ACB" },
  { value: "vn_vpb", text: "VPBank" },
  { value: "kr_kb", text: "KB국민은행" },
  { value: "kr_shinhan", text: "신한은행" },
  { value: "kr_woori", text: "우리은행" },
  { value: "kr_hana", text: "하나은행" },
  { value: "kr_nh", text: "NH농협은행" },
  { value: "kr_ibk", text: "IBK기업은행" },
  { value: "jp_mufg", text: "三菱UFJ銀行" },
  { value: "jp_smbc", text: "三井住友銀行" },
  { value: "jp_mizuho", text: "みずほ銀行" },
  { value: "jp_resona", text: "りそな銀行" },
  { value: "jp_post", text: "ゆうちょ銀行" },
  { value: "jp_rakuten", text: "楽天銀行" },
];

const byCode = new Map(BANKS.map((bank) => [bank.value, bank]));

/** A bank's name; undefined when there is no such code. */
export const bankName = (code: string): string | undefined => byCode.get(code)?.text;

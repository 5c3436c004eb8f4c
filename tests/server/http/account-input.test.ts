import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMIT_FIELDS } from "#shared/contract/wallet.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { Reply } from "../../support/call.ts";
import { roundNow } from "../../support/ledger.ts";
import { fileOf, PIXEL } from "../../support/pictures.ts";
import type { Player } from "../../support/world.ts";
import { isFieldText, messagesOf } from "./endpoints.ts";
import { everything, furnishedWorld, goodInput, makeReady, type Furnished } from "./furnished.ts";

const LANGUAGES: LocaleCode[] = ["en_us", "ko_kr", "vn_vn", "th_th", "ru_ru"];

const AMOUNTS = ["0", "-1", "1e3", "1.5", "００１", "1000000000000", ""];
const PASSCODES = ["12345", "1234567"];
const MARKED = [
  "Mia\u202eTran",
  "\u200fMia Tran",
  "Mia\u2066Tran\u2069",
  "Mia\u200bTran",
  "\u200d",
  "Mia\u2060Tran",
  "Mi\ufeffa",
  "Mia\u3164Tran",
  "Mi\u034fa",
];
const NAMES = ["n".repeat(1_000), ...MARKED];

/** Every field that takes an amount, a passcode or a name, and values that it must refuse. */
const FIELDS: [path: string, field: string, texts: string[]][] = [
  ["/game/placeOrder", "money", AMOUNTS],
  ["/member/doRecharge", "money", AMOUNTS],
  ["/member/setUserWirhdraw", "money", AMOUNTS],
  // An empty limit removes it, which is allowed.
  ...LIMIT_FIELDS.map((field): [string, string, string[]] => ["/member/limits", field, AMOUNTS.filter(Boolean)]),
  ["/member/setPayPassword", "paypassword", PASSCODES],
  ["/member/editPayPassword", "oldpaypwd", PASSCODES],
  ["/member/editPayPassword", "paypassword", PASSCODES],
  ["/member/setUserWirhdraw", "paypwd", PASSCODES],
  ["/member/setName", "name", NAMES],
  ["/member/setBank", "username", NAMES],
  ["/member/doRegister", "username", NAMES],
  ["/xuanfei/comment", "text", ["n".repeat(1_000), "\u200b\u2060", "\u202e"]],
  ["/xuanfei/comment", "hearts", AMOUNTS],
];

let site: Furnished;
let mia: Player;
let count = 0;

beforeAll(async () => {
  site = await furnishedWorld();
});
afterAll(() => site.w.close());
beforeEach(async () => {
  mia = await site.w.player(`ann_${++count}`, { balance: 1_000 });
});

const answer = ({ code, reason }: Reply) => [code, reason];
const inputOf = (path: string) => goodInput(site.w)[path]!;

/** The text of a refusal in a language: its own, or the field's. */
function sentenceOf(lang: LocaleCode, reason: string): string {
  const [thing, what] = reason.split(".") as [string, string];
  const sentence = messagesOf(lang).refusal[thing]?.[what];
  if (!sentence) throw new Error(`${lang} has nothing to say of ${reason}`);
  return sentence;
}

/** Sends a request in every language. Each time it is the same refusal in that language, and nothing has changed. */
async function noTo(ask: (lang: LocaleCode) => ReturnType<Player["call"]>): Promise<unknown[]> {
  const before = await everything(site.w);
  const answers = new Set<string>();
  for (const lang of LANGUAGES) {
    const reply = await ask(lang);
    expect(reply.msg).toBe(sentenceOf(lang, String(reply.reason)));
    answers.add(answer(reply).join(" "));
  }
  expect(await everything(site.w)).toEqual(before);
  return [...answers];
}

describe("an invalid amount, passcode or name", () => {
  it.each(FIELDS)(
    "is refused by %s in %s, which is named with a sentence of each language",
    async (path, field, texts) => {
      await makeReady(site.w, mia.memberId, path);
      const before = await everything(site.w);
      for (const text of texts) {
        const sentences = new Set<string>();
        for (const lang of LANGUAGES) {
          const { code, msg, fields } = await mia.call(path, { ...inputOf(path), [field]: text }, { lang });
          expect([text, code, Object.keys(fields!)]).toEqual([text, 400, [field]]);
          expect(msg).toBe(messagesOf(lang).refusal.input!.invalid);
          const sentence = fields![field]!;
          expect([sentence, isFieldText(lang, sentence)]).toEqual([sentence, true]);
          expect(sentence.trim()).not.toBe("");
          sentences.add(sentence);
        }
        expect(sentences.size).toBe(LANGUAGES.length);
      }
      expect(await everything(site.w)).toEqual(before);
    },
  );
});

describe("another member's object", () => {
  it("is refused as a picture", async () => {
    const { data: header_img } = await site.mia.call("/system/uploadimg", { file: fileOf(PIXEL) });
    expect(await noTo((lang) => mia.call("/member/uploadHeaderImg", { header_img }, { lang }))).toEqual([
      "403 picture.foreign",
    ]);
  });

  it("is not found as a bet", async () => {
    const input = { item: "A", money: "1", lid: "lot_1", expect: roundNow(site.w) };
    const mid = (await site.mia.call("/member/getUserInfo")).data.id;
    expect(await noTo((lang) => mia.call("/game/placeOrder", { ...input, mid }, { lang }))).toEqual([
      "403 bet.foreign",
    ]);
  });

  it("is refused as a session to end", async () => {
    const { id } = (await site.mia.call("/member/sessions")).data[0]!;
    expect(await noTo((lang) => mia.call("/member/endSession", { id }, { lang }))).toEqual(["403 session.foreign"]);
    expect((await site.mia.call("/member/checkloginout")).code).toBe(200);
  });

  it("is in no list of one's own", async () => {
    for (const path of ["getUserRechargeList", "getUserWithdrawList", "getUserGameList", "messages"]) {
      expect([path, (await site.mia.call(`/member/${path}`)).data]).not.toEqual([path, []]);
      expect([path, (await mia.call(`/member/${path}`)).data]).toEqual([path, []]);
    }
  });
});

describe("a bank account that is bound twice", () => {
  const bind = (bankid: string, lang: LocaleCode = "en_us") =>
    mia.call("/member/setBank", { ...inputOf("/member/setBank"), bankid }, { lang });

  beforeEach(() => makeReady(site.w, mia.memberId, "/member/setBank"));

  it("at once is bound once, and the other request is refused", async () => {
    const replies = await Promise.all([bind("1903662487"), bind("1903662488")]);
    const done = replies.findIndex(({ code }) => code === 200);
    const no = replies[1 - done]!;
    expect([...answer(no), no.msg]).toEqual([409, "bank.bound", sentenceOf("en_us", "bank.bound")]);
    const { info } = (await mia.call("/member/getUserBankInfo")).data;
    expect(info!.bankid).toBe(`**** ${["2487", "2488"][done]}`);
  });

  it("later stays as it was", async () => {
    expect((await bind("1903662487")).code).toBe(200);
    expect(await noTo((lang) => bind("1903662488", lang))).toEqual(["409 bank.bound"]);
  });
});

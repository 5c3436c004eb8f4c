import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { LOCALES, type LocaleCode } from "#shared/locales.ts";
import { give } from "../../support/credentials.ts";
import { byLength } from "../../support/length.ts";
import { multipartOf, type Field } from "../../support/multipart.ts";
import {
  everyEndpoint,
  fieldsOf,
  JSON_TYPE,
  isFieldText,
  messagesOf,
  methodOf,
  nameOf,
  send,
  type Raw,
} from "./endpoints.ts";
import { everything, furnishedWorld, goodInput, PIN, type Furnished } from "./furnished.ts";

const endpoints = await everyEndpoint();

const LONG = "a".repeat(5_000);
const CONTROLS = ["a\u0000b", "a\nb", "\u001b[31m", "a\u007fb", "\u0085"];
const DIRECTIONS = ["\u202eabc", "\u200fabc\u200e", "\u2066abc"];
const NUMBERS = [
  "0",
  "-1",
  "01",
  "1e3",
  "1.5",
  "+1",
  " 1",
  "0x1",
  "NaN",
  "１",
  "００１",
  "1000000000000",
  "9".repeat(400),
];
const HOSTILE = [
  "' or 1=1 --",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "%s%n",
  "{{7*7}}",
  "__proto__",
  "💥",
  " ",
];
const TEXTS = ["", LONG, ...CONTROLS, ...DIRECTIONS, ...NUMBERS, ...HOSTILE];
/** A field tries one value in so many, the next field the next ones. */
const EVERY = byLength(3, 1);
/** No field of any meaning accepts these. */
const NO_TEXTS = [null, true, false, {}, { a: 1 }, [], ["1"], [["1"]]];
/** The forms in which a number may arrive. */
const BARE_NUMBERS = [0, -1, -0, 1.5, 1e21, 1e-7, 2 ** 53];

/** Login attempts are counted whatever their outcome. */
const COUNTED = ["attempts"];

let site: Furnished;
let languages: LocaleCode[] = [];
let address = 0;
let tried = 0;

function some<T>(values: readonly T[]): T[] {
  const from = tried++;
  return values.filter((_, i) => (i + from) % EVERY === 0);
}

beforeAll(async () => {
  site = await furnishedWorld();
});
afterAll(() => site.w.close());

/** Each in another language, and from another address, so that no request is throttled. */
async function ask(endpoint: AnyEndpoint, input: Record<string, unknown>, asJson: boolean) {
  languages = languages.length ? languages : LOCALES.map(({ code }) => code);
  const lang = languages.pop()!;
  const method = methodOf(endpoint);
  const form = new URLSearchParams(input as Record<string, string>).toString();
  const hasFile = Object.values(input).some((value) => value instanceof File);
  const plain = hasFile ? await multipartOf(Object.entries(input as Record<string, Field>)) : { payload: form };
  const body = asJson ? { payload: JSON.stringify(input), type: JSON_TYPE } : plain;
  const to = method === "GET" ? { path: `${endpoint.path}?${form}` } : { path: endpoint.path, ...body };
  // After a logout, nothing else is allowed.
  const { token } = endpoint.path === "/member/doLogout" ? await site.w.player(`gone_${address}`) : site.mia;
  const remoteAddress = `10.0.${(++address >> 8) & 255}.${address & 255}`;
  return { answer: await send(site.w, { method, ...to, token, lang, remoteAddress }), lang };
}

/** The faults of an answer to bad input in one field: none if it is a success, a plain refusal, or names the field. */
function faultsOf({ code, msg, fields, text }: Raw, lang: LocaleCode, field: string): string[] {
  const faults = /SQLITE|select |node_modules|\.ts:|\n\s+at /.test(text) ? ["shows its inside"] : [];
  if (code !== 400) return [200, 403, 404, 409, 422, 429].includes(code) ? faults : [...faults, `answers ${code}`];
  const { refusal } = messagesOf(lang);
  const given = Object.entries(fields!);
  if (given.map(([name]) => name).join() !== field) faults.push(`names ${JSON.stringify(fields)}`);
  if (given.some(([, reason]) => !isFieldText(lang, reason))) faults.push("gives no reason in its language");
  if (msg !== refusal.input!.invalid) faults.push(`says ${msg}`);
  return faults;
}

describe.each(endpoints.map((endpoint) => ({ name: nameOf(endpoint), endpoint })))("$name", ({ endpoint }) => {
  const good = (): Record<string, unknown> => ({ ...goodInput(site.w)[endpoint.path] });
  let before: Record<string, unknown[]> | undefined;
  // Another endpoint may have changed it, and wrong ones lock it in the end.
  beforeAll(() => give(site.w, site.mia.memberId, { pin: PIN }));

  /** Tries bad input in one field and returns the faults; a refusal changes nothing. */
  async function tryIn(field: string, input: Record<string, unknown>, asJson = false) {
    before ??= await everything(site.w, COUNTED);
    const { answer, lang } = await ask(endpoint, input, asJson);
    const faults = faultsOf(answer, lang, field);
    const after = await everything(site.w, COUNTED);
    if (answer.code !== 200 && !isDeepStrictEqual(after, before))
      faults.push(`answers ${answer.code}, but did something`);
    before = after;
    return { code: answer.code, faults };
  }

  it.each(fieldsOf(endpoint))("accepts or refuses any text in %s", async (field) => {
    for (const text of some(TEXTS)) {
      const { faults } = await tryIn(field, { ...good(), [field]: text });
      expect({ text, faults }).toEqual({ text, faults: [] });
    }
  });

  it.each(fieldsOf(endpoint))("accepts or refuses a request without %s", async (field) => {
    const { [field]: _missing, ...rest } = good();
    expect((await tryIn(field, rest)).faults).toEqual([]);
  });

  it.each(methodOf(endpoint) === "POST" ? fieldsOf(endpoint) : [])(
    "refuses other types than text in %s",
    async (field) => {
      for (const value of some(NO_TEXTS)) {
        const outcome = await tryIn(field, { ...good(), [field]: value }, true);
        expect({ value, ...outcome }).toEqual({ value, code: 400, faults: [] });
      }
      for (const value of some(BARE_NUMBERS)) {
        const { faults } = await tryIn(field, { ...good(), [field]: value }, true);
        expect({ value, faults }).toEqual({ value, faults: [] });
      }
    },
  );

  it("ignores unknown fields", async () => {
    const { answer } = await ask(endpoint, { ...good(), id_x: LONG, toString: "1", constructor: "1" }, false);
    expect(answer.code).not.toBe(500);
    expect(answer.code).not.toBe(400);
  });
});

describe("a field", () => {
  const AMOUNTS = [
    "0",
    "-1",
    "01",
    "1e3",
    "1.5",
    "+1",
    " 1",
    "1 ",
    "１",
    "００１",
    "1000000000000",
    "2000000001",
    "",
    "1,0",
  ];
  it.each([
    ["/game/placeOrder", "money", AMOUNTS],
    ["/member/doRecharge", "money", AMOUNTS],
    ["/member/limits", "stake_day", AMOUNTS.filter((text) => text !== "")],
    ["/member/limits", "remind_minutes", ["0", "-1", "01", "1.5", "1441"]],
    ["/member/limits", "exclude_until", ["0", "1", "-1", "01", "1e3", "1772409600", "100000000000"]],
    ["/member/getMoneylog", "page", ["0", "-1", "01", "1e3", "1.5", "x", "１", "9007199254740992"]],
    ["/notice/getNoticeList", "limit", ["0", "51", "-1", "x", "1000000000000"]],
    ["/game/placeOrder", "item", ["", "19", "2", "a", "A,A", "A,,C", ",A", "A, C", "3,03"]],
    [
      "/game/placeOrder",
      "expect",
      ["", "20260302", "20260302-1", "20260302-00001", "２０２６0302-0001", "20260302-0001\n"],
    ],
    ["/Lottery/getLotteryInfo", "key", ["", "k3/1m", "k3 1m", "k".repeat(65), "k3-1m\u0000", "\u202ek3"]],
    ["/member/doRecharge", "bank_type", [...CONTROLS, LONG]],
    ["/member/doLogin", "username", [...CONTROLS, LONG, ""]],
    ["/member/doLogin", "password", [...CONTROLS, LONG, ""]],
    ["/member/doRegister", "username", ["abc", "a".repeat(21), "no spaces", "ünder", "mia-1", "\u202emia_1", "mia1\n"]],
    ["/member/doRegister", "password", ["1234567", "x".repeat(65)]],
    [
      "/member/setName",
      "name",
      ["", " ", "\u3000", "x".repeat(65), ...CONTROLS, ...DIRECTIONS, "a\u200bb", "\u2060", "\u3164"],
    ],
    ["/member/setSex", "sex", ["", "3", "01", "-1", "man", "１"]],
    [
      "/member/setPayPassword",
      "paypassword",
      ["", "12345", "1234567", "12345a", "１２３４５６", "123456\n", " 12345", "-12345"],
    ],
    ["/member/editPayPassword", "oldpaypwd", ["", "12345", "abcdef"]],
    ["/member/setLoginPassword", "new_password", ["1234567", "x".repeat(65)]],
    ["/member/setUserWirhdraw", "money", AMOUNTS],
    ["/member/setUserWirhdraw", "paypwd", ["", "12345", "1234567", "12345a", "１２３４５６"]],
    ["/member/setBank", "bankid", ["", "12345", "1".repeat(35), "letters", "1234 5678", "１２３４５６", ...CONTROLS]],
    ["/member/setBank", "mobile", ["me", "1", "+", "1".repeat(21), ...CONTROLS]],
    ["/fair/wheel", "client_seed", ["", "a:b", "two words", "ключ", "x".repeat(65), ...CONTROLS, ...DIRECTIONS]],
    ["/luckdrawlog", "page", ["0", "-1", "01", "x"]],
    ["/system/luckdrawlog", "limit", ["0", "51", "x"]],
    ["/member/doRegister", "code", ["", "NOT AN INVITE", "a\u0000b", "x".repeat(65)]],
  ])("%s refuses invalid values in %s", async (path, field, texts) => {
    const endpoint = endpoints.findLast((endpoint) => endpoint.path === path)!;
    for (const text of texts) {
      const { answer, lang } = await ask(endpoint, { ...goodInput(site.w)[path], [field]: text }, false);
      expect([text, answer.code, faultsOf(answer, lang, field)]).toEqual([text, 400, []]);
    }
  });
});

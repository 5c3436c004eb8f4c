import { anything, either, listOf, nothing, number, text, whole, withFields } from "#shared/log/evidence/shape.ts";
import type { Check } from "#shared/log/fields.ts";
import type { Ask, Question } from "./messages.ts";

const path = listOf(text);
/** An amount. */
const decimal: Check<string> = (value): value is string => text(value) && /^-?\d{1,15}(\.\d{1,2})?$/.test(value);
const logged = either(withFields({ leaf: text, number: whole }), nothing);

/** What an answer has to be before anything is computed from it. Its hashes and signatures are checked later. */
const FORMS: Record<Question, Check<unknown>> = {
  head: withFields({
    head: either(text, nothing),
    key: text,
    changes: listOf(whole),
    cosigned: either(text, nothing),
    witnesses: withFields({ keys: listOf(text), needed: whole }),
  }),
  consistency: withFields({ path }),
  hour: withFields({ hour: number, head: text, leaf: text, path }),
  origins: listOf(withFields({ key: text, head: text, leaf: text, path })),
  anchors: listOf(
    withFields({ day: text, anchor: text, told: either(withFields({ number: whole, head: whole }), nothing) }),
  ),
  round: withFields(
    {
      kind: text,
      rule: text,
      seed: either(text, nothing),
      beacon: text,
      beacon_signature: text,
      odds: anything,
      refunded: either(whole, nothing),
    },
    { logged: withFields({ open: either(whole, nothing) }) },
  ),
  proof: withFields({
    bet: text,
    salt: text,
    index: whole,
    count: whole,
    path,
    bets_root: text,
    close: logged,
    open: logged,
    draw: logged,
    settle: logged,
    refund: logged,
  }),
  orders: listOf(withFields({ id: text, win: either(decimal, nothing) })),
  money: withFields({
    count: whole,
    list: listOf(
      withFields({
        version: whole,
        money: decimal,
        balance: decimal,
        key: either(text, nothing),
        expect: either(text, nothing),
      }),
    ),
  }),
  mine: withFields({
    head: either(text, nothing),
    chain: text,
    leaves: listOf(
      withFields({
        number: whole,
        hash: text,
        content: text,
        salt: text,
        place: either(withFields({ index: whole, path }), nothing),
      }),
    ),
  }),
  table: withFields({ head: text, leaf: text, index: whole, path }),
  payout: withFields({
    settle: logged,
    paid: either(withFields({ content: text, salt: text, index: whole, path }), nothing),
  }),
};

/** Asks the house. What it answers in no form that it may have is no answer. */
export const askingFor =
  (ask: Ask): Ask =>
  async (question, input, ...of) => {
    const answer = await ask(question, input, ...of);
    if (answer !== null && !FORMS[question](answer)) throw new Error(`no answer to ${question}`);
    return answer;
  };

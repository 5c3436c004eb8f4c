import * as z from "zod/mini";
import { WORDS } from "#shared/wheel-words.ts";
import { get, post } from "./endpoint.ts";
import { Decimal, Flag, Hex256, Id, Langs, maybe, Nothing, Paging, Seconds, ShownPrice } from "./values.ts";

const Kind = z.enum(["points", "days", "spin", "thanks"]);

const Prize = z.object({
  id: z.string(),
  title: z.string(),
  image: z.string(),
  weight: z.int(),
  probability: z.number(),
  kind: Kind,
  /** What it gives: points as a decimal, days and further spins as a whole number. */
  amount: z.string(),
  ...Langs,
});
export type Prize = z.output<typeof Prize>;

const prizeList = <P extends string>(path: P) =>
  post(path, {
    access: "session",
    input: z.object({}),
    reply: z.array(Prize),
    summary: "The prizes of the wheel, with their chances, in the order they stand on it",
  });

const winnerList = <P extends string>(path: P) =>
  post(path, {
    access: "session",
    input: z.object(Paging),
    reply: z.array(
      z.object({
        image: z.string(),
        mmname: z.string(),
        username: z.string(),
        add_time: Seconds,
        /** A member of the demo. */
        demo: Flag,
        ...Langs,
      }),
    ),
    summary: "Real wins, newest first, once the wheel has stopped",
  });

/** The member's own words for a pair. */
const Words = z.string({ error: "required" }).check(z.minLength(1, "required"), z.regex(WORDS, "clientSeed"));

const spin = <P extends string>(path: P) =>
  post(path, {
    access: "session",
    refuses: [
      "feature.off",
      "licence.missing",
      "member.excluded",
      "prizes.none",
      "spins.none",
      "spins.price",
      "balance.insufficient",
      "balance.full",
      "limit.reached",
      "commit.stale",
      "commit.untold",
      "prizes.changed",
      "prizes.untold",
    ],
    input: z.object({
      price: maybe(ShownPrice),
      /** Words for a new pair; `commit` is then the one shown as `next_commit`. */
      client_seed: maybe(Words),
      /** Without words: the commit of the pair in use. */
      commit: maybe(Id),
      /** The hash of the table that the words are for. With another one in force the spin is refused. */
      table: maybe(Id),
    }),
    reply: z.object({
      id: z.string(),
      /** Sanitised HTML. */
      msgmemo: z.string(),
      title: z.string(),
      image: z.string(),
      nonce: z.int(),
      spins_left: z.int(),
      /** Of the pair that it was drawn from. */
      commit: Hex256,
      ...Langs,
    }),
    summary: "Spin the wheel",
  });

// The specification has each of them twice.
export const luckdrawList = prizeList("/luckdrawlist");
export const systemLuckdrawList = prizeList("/system/luckdrawlist");
export const luckdrawLog = winnerList("/luckdrawlog");
export const systemLuckdrawLog = winnerList("/system/luckdrawlog");
export const luckdraw = spin("/luckdraw");
export const systemLuckdraw = spin("/system/luckdraw");

const Spin = z.object({
  nonce: z.int(),
  id: z.string(),
  /** The chances at the time, in the order of the wheel. */
  prizes: z.array(z.object({ id: z.string(), weight: z.int() })),
});

/** The table that a pair's words bound it to. */
const Table = z.object({
  id: z.string(),
  /** Computed by `tableHash`. */
  hash: Hex256,
  prizes: z.array(z.object({ id: z.string(), weight: z.int(), kind: Kind, amount: z.string() })),
});

/** Who chose the words. Null before there are any, and for pairs from the time when words came before the commit. */
const WordsBy = z.nullable(z.enum(["member", "house"]));

const Previous = z.object({
  number: z.int(),
  seed: Hex256,
  commit: Hex256,
  client_seed: z.string(),
  words_by: WordsBy,
  /** Null for pairs from the time when nothing bound them. */
  table: z.nullable(Table),
  spins: z.array(Spin),
});

export const wheelSeeds = get("/fair/wheel", {
  access: "session",
  input: z.object({}),
  reply: z.object({
    /** Whose pairs these are. */
    member: z.string(),
    /** The pair in use, and its number among the member's pairs. Null before the first words. */
    number: z.nullable(z.int()),
    commit: z.nullable(Hex256),
    client_seed: z.nullable(z.string()),
    words_by: WordsBy,
    table: z.nullable(Table),
    nonce: z.int(),
    spins_left: z.int(),
    /** Free spins of a day (UTC); with 0 none come. */
    spins_daily: z.int(),
    spin_price: Decimal,
    /** The commit of the pair that the next words begin. */
    next_commit: Hex256,
    next_number: z.int(),
    previous: z.nullable(Previous),
  }),
  summary: "The member's seed pair for the wheel, the commit of the next, and the pair before, which can be checked",
});

export const changeWheelSeed = post("/fair/wheel", {
  access: "session",
  refuses: ["commit.stale", "commit.untold", "prizes.changed", "prizes.none", "prizes.untold"],
  /** `table`: the hash of the table that they are for. Once it is no longer in force, the pair is over without a spin. */
  input: z.object({ client_seed: Words, commit: Id, table: maybe(Id) }),
  reply: Nothing,
  summary: "Begin the pair of this next_commit with these words, and reveal the seed of the pair so far",
});

import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import {
  Amount,
  Between,
  Decimal,
  Hex256,
  Id,
  Langs,
  maybe,
  Millis,
  Options,
  Paging,
  RoundText,
  Seconds,
} from "./values.ts";

/** Faces in the order they fell, one for each die. */
export const DiceValues = z.array(z.int());
const Size = z.enum(["A", "B"]);
const Parity = z.enum(["C", "D"]);

/** The first round that a pause keeps from opening, and the first that opens again, null while nobody has said. */
export const Pause = z.object({ from: z.string(), until: z.nullable(z.string()) });

/** How many of its last draws a game comes with. */
export const RECENT_DRAWS = 8;

/** As many draws as one call gives. */
export const MOST_DRAWS = "50";

export const Lottery = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  ico: z.string(),
  class: z.string(),
  /** What its class is called, as `itemlist` does. */
  class_name: z.string(),
  /** The kind of game: its rules. */
  kind: z.string(),
  period: z.int(),
  now_expect: z.nullable(z.string()),
  opencode: z.nullable(DiceValues),
  one: z.nullable(Size),
  two: z.nullable(Parity),
  /** The last draws, `now_expect` included; newest first, eight at most. */
  recent: z.array(z.object({ expect: z.string(), opencode: DiceValues })),
  next_expect: z.nullable(z.string()),
  state: z.enum(["open", "drawing", "paused"]),
  second: z.int(),
  close_ms: z.nullable(Millis),
  draw_ms: z.nullable(Millis),
  server_now_ms: Millis,
  commit: z.nullable(Hex256),
  /** Whether the round's draw takes a public beacon. Without a round: whether the next one's does. */
  beacon: z.enum(["none", "drand"]),
  /** The oldest round whose draw is due and waits for its beacon. */
  awaits_beacon: z.nullable(z.string()),
  /** A pause that is announced or under way. */
  pause: z.nullable(Pause),
  /** Why, in the operator's words. */
  pause_reason: z.nullable(z.string()),
  ...Langs,
});
export type Lottery = z.output<typeof Lottery>;

export const itemList = get("/Lottery/itemlist", {
  access: "guest",
  input: z.object(Paging),
  reply: z.array(z.object({ key: z.string(), name: z.string() })),
  summary: "Classes of games",
});

export const hotLottery = get("/Lottery/hotLottery", {
  access: "guest",
  input: z.object(Paging),
  reply: z.array(Lottery),
  summary: "Games that are running",
});

export const lotteryList = get("/Lottery/lotteryList", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ class: maybe(Id), ...Paging }),
  reply: z.array(Lottery),
  summary: "All games, or those of a class",
});

export const lotteryInfo = get("/Lottery/getLotteryInfo", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ key: Id }),
  reply: Lottery,
  summary: "One game and its round",
});

export const lotteryHistory = get("/Lottery/getLotteryOneList", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ key: Id, ...Paging }),
  reply: z.array(
    z.object({
      expect: z.string(),
      kind: z.string(),
      opencode: DiceValues,
      /** Null where the kind, or this draw, has no size or parity. */
      one: z.nullable(Size),
      two: z.nullable(Parity),
      sum: z.int(),
      draw_time: Seconds,
    }),
  ),
  summary: "Drawn rounds, newest first",
});

export const lotteryOdds = get("/Lottery/getLotteryPeilv", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  reply: z.array(
    z.object({
      type: z.string(),
      name: z.string(),
      /** Its part of the board. */
      group: z.string(),
      /** What it pays when it falls once. */
      proportion: z.string(),
      /** What it pays, by how often it falls. */
      pays: z.array(z.string()),
      color: z.string(),
      probability: z.number(),
      rtp: z.number(),
    }),
  ),
  summary: "A game's options, with odds, chance and return",
});

export const placeOrder = post("/game/placeOrder", {
  access: "session",
  refuses: [
    "feature.off",
    "licence.missing",
    "bet.foreign",
    "member.excluded",
    "object.unknown",
    "balance.insufficient",
    "limit.reached",
    "round.closed",
  ],
  input: z.object({ item: Options, money: Amount, lid: Id, mid: maybe(Id), expect: RoundText }),
  reply: z.object({
    id: z.string(),
    expect: z.string(),
    total: Decimal,
    balance: Decimal,
    /** What proves the bet, by itself (docs/log.md). Repeating the call with its key answers the same one. */
    receipt: z.string(),
  }),
  summary: "Bet on the open round: `money` on each of the options",
});

export const ownRounds = get("/Lottery/ownRounds", {
  access: "session",
  whileLocked: true,
  refuses: ["object.unknown"],
  input: z.object({ key: maybe(Id) }),
  reply: z.array(
    z.object({
      key: z.string(),
      expect: z.string(),
      /** Null until it is drawn and the caller is paid, and where the stakes went back. */
      opencode: z.nullable(DiceValues),
      /** The whole stake. */
      money: Decimal,
      /** What came back: wins, stakes included, or the returned stakes. Null while it waits. */
      win: z.nullable(Decimal),
      options: z.array(
        z.object({
          type: z.string(),
          money: Decimal,
          /** What its stakes pay, by how often it falls. */
          pays: z.array(Decimal),
          win: z.nullable(Decimal),
        }),
      ),
    }),
  ),
  summary:
    "One's own stakes by option, newest first: on a game's newest three rounds and on those that wait; without a key, on every game's rounds that wait",
});

export const gameList = get("/member/getUserGameList", {
  isRecord: true,
  access: "session",
  whileLocked: true,
  refuses: ["object.unknown"],
  input: z.object({ ...Paging, ...Between, id: maybe(Id) }),
  reply: z.array(
    z.object({
      id: z.string(),
      /** What people read and say; the operator's commands take it too. */
      number: z.string(),
      /** The hash of the odds that it was taken at, as `/fair/round` shows those of its round. */
      odds: z.string(),
      /** The game's key, for checking the order's round. */
      key: z.string(),
      kind: z.string(),
      ico: z.string(),
      name: z.string(),
      ...Langs,
      /** 0 waiting, 1 something came back, 2 nothing did, 3 returned: the round is never drawn. */
      status: z.int(),
      status_text: z.string(),
      opencode: z.nullable(DiceValues),
      one: z.nullable(Size),
      two: z.nullable(Parity),
      money: Decimal,
      win: z.nullable(Decimal),
      create_time: Seconds,
      update_time: Seconds,
      data: z.array(
        z.object({
          expect: z.string(),
          type: z.string(),
          money: Decimal,
          /** The rate it was paid at. While it waits or if it lost, the rate for falling once. */
          proportion: z.string(),
          win: z.nullable(Decimal),
        }),
      ),
    }),
  ),
  summary: "One's own orders, newest first; of a period, or the one with this id",
});

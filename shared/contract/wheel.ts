import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import { Decimal, Flag, Hex256, maybe, Nothing, Paging, Seconds } from "./values.ts";

const Prize = z.object({
  id: z.string(),
  title: z.string(),
  image: z.string(),
  weight: z.int(),
  probability: z.number(),
});
export type Prize = z.output<typeof Prize>;

const prizeList = (path: string) =>
  post(path, {
    access: "session",
    input: z.object({}),
    reply: z.array(Prize),
    summary: "The prizes of the wheel, with their chances, in the order they stand on it",
  });

const winnerList = (path: string) =>
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
      }),
    ),
    summary: "Real wins, newest first, once the wheel has stopped",
  });

/** The price that the member saw, a decimal. At any other price the spin is refused. */
const ExpectedPrice = z.string({ error: "number" }).check(z.regex(/^\d{1,10}\.\d{2}$/, "number"));

const spin = (path: string) =>
  post(path, {
    access: "session",
    input: z.object({ price: maybe(ExpectedPrice) }),
    reply: z.object({
      id: z.string(),
      /** Sanitised HTML. */
      msgmemo: z.string(),
      title: z.string(),
      image: z.string(),
      nonce: z.int(),
      spins_left: z.int(),
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

export const wheelSeeds = get("/fair/wheel", {
  access: "session",
  input: z.object({}),
  reply: z.object({
    commit: Hex256,
    client_seed: z.string(),
    nonce: z.int(),
    spins_left: z.int(),
    spin_price: Decimal,
    previous: z.nullable(z.object({ seed: Hex256, commit: Hex256, client_seed: z.string(), spins: z.array(Spin) })),
  }),
  summary: "The member's seed pair for the wheel, and the one before, which can be checked",
});

export const changeWheelSeed = post("/fair/wheel", {
  access: "session",
  input: z.object({
    client_seed: z
      .string({ error: "required" })
      .check(z.minLength(1, "required"), z.regex(/^[\x21-\x39\x3b-\x7e]{1,64}$/, "clientSeed")),
  }),
  reply: Nothing,
  summary: "Reveal the seed of the pair so far and begin a new one with these words",
});

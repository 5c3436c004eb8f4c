import * as z from "zod/mini";
import { get } from "./endpoint.ts";
import { DiceValues } from "./lottery.ts";
import { Hex256, Id, RoundText } from "./values.ts";

export const fairRound = get("/fair/round", {
  access: "guest",
  input: z.object({ key: Id, expect: RoundText }),
  reply: z.object({
    key: z.string(),
    expect: z.string(),
    /** The kind of game. Its rules turn the bytes into dice. */
    kind: z.string(),
    index: z.int(),
    commit: Hex256,
    seed: z.nullable(Hex256),
    beacon: z.string(),
    opencode: z.nullable(DiceValues),
    anchor: Hex256,
  }),
  summary: "What is needed to check a draw",
});

export const fairAnchors = get("/fair/anchors", {
  access: "guest",
  input: z.object({ key: Id }),
  reply: z.array(z.object({ day: z.string(), anchor: Hex256 })),
  summary: "The anchor of each day, seven days ahead",
});

export const fairGaps = get("/fair/gaps", {
  access: "guest",
  input: z.object({ key: Id }),
  reply: z.array(z.object({ gap_from: z.string(), gap_to: z.string(), reason: z.string() })),
  summary: "Rounds that were never opened, and why",
});

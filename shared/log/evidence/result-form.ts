import { listOf, number, text } from "./shape.ts";

/** The fields of a result that say how it was drawn. */
export const RESULT = {
  key: text,
  expect: text,
  kind: text,
  opencode: listOf(number),
  seed: text,
  rule: text,
  beacon: text,
  beacon_signature: text,
};

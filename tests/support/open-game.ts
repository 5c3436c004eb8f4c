import type { Lottery } from "#shared/contract/lottery.ts";

/** A game whose second round is open, as the server answers it; its times are the test's. */
export const openGame = (times: Pick<Lottery, "second" | "close_ms" | "draw_ms" | "server_now_ms">): Lottery => ({
  id: "lot_1",
  key: "k3-1m",
  name: "One minute",
  ico: "/icons/k3.svg",
  class: "k3",
  class_name: "Three dice",
  kind: "dice-sum",
  period: 60,
  now_expect: "20260302-0001",
  opencode: [1, 2, 3],
  one: "B",
  two: "D",
  recent: [{ expect: "20260302-0001", opencode: [1, 2, 3] }],
  next_expect: "20260302-0002",
  state: "open",
  commit: "a".repeat(64),
  beacon: "none",
  awaits_beacon: null,
  pause: null,
  pause_reason: null,
  ...times,
});

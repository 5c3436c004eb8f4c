import type { Cheat } from "./cheat.ts";

export const clocks: Cheat[] = [
  {
    id: "bet-once-the-beacon-is-known",
    house: "lets a friend bet after the beacon is public, and dates the close before it",
    by: "server",
    found: {
      app: "the head with the close came after the beacon's time; the round is not shown as proven early",
      witness: "the close was signed after the beacon's time",
    },
    parts: ["B", "C"],
    from: "added",
  },
  {
    id: "date-a-head-falsely",
    house: "puts an earlier time on a head than when it was made",
    by: "server",
    found: {
      verifier: "a witness signed the head long after the time that it names",
    },
    parts: ["B"],
    from: "added",
  },
  {
    id: "date-a-head-ahead",
    house: "puts coming times on heads, to have some in store for a delayed member",
    by: "server",
    found: {
      verifier: "a witness had signed the head before the time that it names, or the times go back",
    },
    parts: ["B"],
    from: "added",
  },
  {
    id: "set-the-phones-clock",
    house: "answers with a false time, so that the app takes a late head for an early one",
    by: "protocol",
    found: { app: "the round is judged by this phone's own clock, which a beacon has confirmed" },
    parts: ["C"],
    from: "added",
  },
  {
    id: "say-the-draw-was-on-time",
    auditNow: true,
    house: "writes the planned time as the time of a late draw",
    by: "sql",
    found: {
      audit: "the draw was at another time than its leaf says",
      app: "the result came later than the draw says, by this phone's clock",
      witness: "the first head with the draw is much younger than the draw says",
      verifier: "the draw's time is far from that of the first head that holds it",
    },
    parts: ["A3", "A4", "B"],
    from: "added",
    lacks: "The app does not compare the time of a draw with its own clock yet, and a witness reads no draws.",
  },
  {
    id: "call-the-beacon-away",
    house: "pretends not to reach the beacon, and draws when it likes",
    by: "server",
    found: {
      audit: "the round was drawn late",
      app: "the draw is late; its beacon has not changed",
      verifier: "the draw is late; its beacon is the one that the rule names",
    },
    parts: ["A3", "C"],
    from: "added",
  },
  {
    id: "play-on-with-a-wrong-clock",
    house: "opens and closes rounds although its clock disagrees with the newest beacon",
    by: "server",
    found: {
      verifier: "a witness had signed the head before the time that it names",
    },
    parts: ["C"],
    from: "added",
  },
  {
    id: "shift-the-timetable-for-one-member",
    house: "tells one member other times of closing than the rest",
    by: "protocol",
    found: {
      verifier: "the opening's times are not those of its place",
    },
    parts: ["B"],
    from: "added",
  },
];

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { playsOf, tryAll } from "./trial/try-all.ts";
import { HONEST, trialOf } from "./trial/judges.ts";
import { playedSite, type PlayedSite } from "./trial/played-site.ts";
import { verdictOn } from "./trial/verdict.ts";
import type { Play } from "./play.ts";
import { PLAYS } from "./plays.ts";
import { CHEATS } from "./table.ts";

/** Rows of each kind: statements, a log made anew, a changed answer, an older backup. */
const SOME = [
  "type-other-dice",
  "edit-a-bet-and-all-that-follows",
  "give-a-receipt-for-other-options",
  "make-the-secret-after-the-words",
  "drop-all-triggers",
  "refuse-a-proof-of-consistency",
  "serve-other-tiles-to-strangers",
  "put-an-older-backup-back",
];

/** Plays cheats, and expects everybody to say what they are to say today. */
export function describeTrials(length: "some" | "all"): void {
  let site: PlayedSite;
  beforeAll(async () => {
    site = await playedSite();
  }, 240_000);
  afterAll(() => site.close());

  describe("where nobody cheats", () => {
    it.each(Object.keys(HONEST))("nobody finds anything in %s", async (name) => {
      expect(await trialOf(site, HONEST[name]!)).toEqual({});
    });
  });

  describe("a play whose statements change no row", () => {
    it.each(["update bets set mask = 1 where id = 0", "delete from bets where id = 0"])(
      "is refused: %s",
      async (data) => {
        await expect(trialOf(site, { data, now: {} })).rejects.toThrow("changed no row");
      },
    );
  });

  const ids = length === "all" ? Object.keys(PLAYS) : SOME;
  const cases = ids.flatMap((id) =>
    playsOf({ id }).map((play) => [[id, play.how ?? ""].join(" ").trim(), id, play] as const),
  );

  it("a cheat that somebody missed is told, with what was said instead", async () => {
    const said: string[] = [];
    const [row] = CHEATS;
    const play: Play = { live: async () => ({ audit: "nothing much" }), now: { audit: /a lie/ } };
    const wrong = await tryAll(site, [row!], (line) => said.push(line), { [row!.id]: play });
    expect(wrong).toEqual([`${row!.id}: audit was to find it. Said was {"audit":"nothing much"}`]);
    expect(said.find((line) => line.startsWith("1 "))).toMatch(/ MISSED +planned +- +- +planned$/);
  });

  describe("who is to find a cheat today finds it", () => {
    it.each(cases)("%s", async (_, id, play) => {
      const { missed, said } = verdictOn(id, play, await trialOf(site, play));
      expect({ missed, said }).toEqual({ missed: [], said });
    });
  });
}

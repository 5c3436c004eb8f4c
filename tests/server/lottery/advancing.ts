import type { Deps } from "#server/app/deps.ts";
import type { Advancing } from "#server/domains/lottery/advance.ts";
import { signatureFor } from "#server/domains/lottery/beacons.ts";
import { wasDown } from "#server/domains/lottery/gaps.ts";
import { publishAnchors } from "#server/domains/lottery/publish-anchors.ts";
import type { Seeds } from "#server/domains/lottery/seeds.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { START } from "../../support/world.ts";

/** How a process goes on that tries each step once and may open any round. What it attempts and tells goes to `events`. */
export const advancing = (deps: Deps, seeds: Seeds, events: string[]): Advancing => ({
  async attempt(name, work) {
    events.push(name);
    await work();
  },
  signatureFor: (rule) => signatureFor(deps.beacons, rule),
  onWaiting: ({ id, gameId, drawsAt }) => void events.push(`waiting ${id} of ${gameId} until ${drawsAt - START}`),
  mayOpen: () => true,
  onDrawn: (id) => void events.push(`drawn ${id}`),
  onOpening: ({ key }, place) => void events.push(`opening ${key} ${roundText(place)}`),
  reasonsOf: (_, missed) => wasDown(missed),
  async anchor(game) {
    events.push(`anchor ${game.key}`);
    await publishAnchors(deps, seeds, game);
  },
});

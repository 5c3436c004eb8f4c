import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote } from "#shared/log/note.ts";
import { drandMode, randomnessOf, signedAt } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { SECOND_MS } from "#shared/time.ts";
import { timesOf } from "../../client/watch/game.ts";
import { House } from "../../client/watch/house.ts";
import { Phone } from "../../client/watch/phone.ts";
import { signerOf } from "../../log/world.ts";
import { ownChain } from "../../support/drand-relay.ts";
import type { Play, Plays } from "../play.ts";
import { FORKED } from "./finders.ts";
import { LAST } from "./ids.ts";

/* A house whose rounds take beacons of a chain that these plays can sign for. */

const witness = signerOf("one.example/w", COSIGNATURE_KEY, "one");
const HOUR_MS = 3_600_000;

/** A round whose closing a witness signs so long after its beacon, on a phone whose clock the house wants to be off. */
const closedAfter =
  (ms: number, clockOffMs = 0): NonNullable<Play["live"]> =>
  async () => {
    const house = new House();
    const closes = timesOf(1).draws - 8 * SECOND_MS;
    const chain = { ...ownChain(), genesisS: (closes + 3 * SECOND_MS) / SECOND_MS - 999 * 3 };
    const opening = house.open(1, { beacon: "drand", closes });
    house.wanted = { keys: [keyText(witness.key)], needed: 1 };
    const phone = new Phone(house);
    const beaconMs = signedAt(chain, 1_000);
    phone.beacons = beaconsOf(chain);
    phone.now = beaconMs + clockOffMs;
    await phone.hear({ type: "head", head: house.note(), witnesses: house.wanted }, opening);
    await phone.wait();
    await phone.hears(house.close(1));
    await phone.wait();
    const note = parseNote(house.note())!;
    const line = cosign(note.text, Math.floor((beaconMs + ms) / SECOND_MS), witness);
    await phone.hear({ type: "head", head: noteText({ ...note, signatures: [...note.signatures, line] }) });
    const signature = chain.sign(1_000);
    const mixed = { rule: `${drandMode(chain)}:1000`, beacon: randomnessOf(signature), beacon_signature: signature };
    await phone.hear(house.result(1, { ...mixed, opencode: house.dice(1, mixed) }));
    const { beacons, early, witnesses } = await phone.report();
    const [by] = witnesses.by;
    return { app: `proven early: ${early} of ${beacons}`, witness: `signed ${by!.at - beaconMs} ms after the beacon` };
  };

export const beacons: Plays = {
  "bet-once-the-beacon-is-known": {
    live: closedAfter(2_000),
    now: { app: /^proven early: 0 of 1$/, witness: /^signed 2000 ms after the beacon$/ },
  },
  "set-the-phones-clock": { live: closedAfter(2_000, -HOUR_MS), now: { app: /^proven early: 0 of 1$/ } },
  "call-the-beacon-away": {
    data: async (forger) => {
      await forger.run(`update rounds set drawn_at = draws_at + ${HOUR_MS}, settled_at = draws_at + ${HOUR_MS}
        where id = ${LAST.id}`);
      await forger.rewriteAll();
    },
    now: {
      ...FORKED,
      audit: /was drawn 3600 s after it was due/,
      verifier: /20260304-0003: drawn 3600 s after it was due/,
    },
  },
};

import {
  chainOfMode,
  drandMode,
  fitsRule,
  namedBeacon,
  namesFirst,
  signedAt,
  type DrandChain,
} from "#shared/lottery/beacon.ts";
import { areSigned } from "#shared/lottery/beacon-batch.ts";
import type { BeaconCheck } from "./context.ts";

/** Checks the beacons of a log by these chains' keys. */
export const drandCheck = (chains: readonly DrandChain[]): BeaconCheck => ({
  namesFirst: (rule, closes) => namesFirst({ rule, closes }, chains),
  fits: (drawn) => fitsRule(drawn, chains),
  areSigned: (beacons) =>
    areSigned(
      chains,
      beacons.map(({ rule, signature }) => ({ named: namedBeacon(rule), signature })),
    ),
  signedAt(rule) {
    const named = namedBeacon(rule);
    const chain = named && chainOfMode(drandMode({ hash: named.chain }), chains);
    return chain ? signedAt(chain, named.round) : null;
  },
});

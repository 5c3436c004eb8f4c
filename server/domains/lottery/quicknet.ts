import { createRequire } from "node:module";
import { QUICKNET, type BeaconCheck } from "#shared/lottery/beacon.ts";
import type * as Signatures from "#shared/lottery/beacon-signature.ts";

/** Loaded with the first beacon: games that follow no chain need no curve. */
const load = createRequire(import.meta.url);
const signatures = () => load("#shared/lottery/beacon-signature.ts") as typeof Signatures;

/** Checks beacons of the only chain that rounds take theirs from. */
export const QUICKNET_BEACONS: BeaconCheck = {
  chains: [QUICKNET],
  isSigned: (named, signature) => signatures().QUICKNET_BEACONS.isSigned(named, signature),
};

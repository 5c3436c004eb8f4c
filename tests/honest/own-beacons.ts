import { QUICKNET } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { ownChain } from "../support/drand-relay.ts";

/** A chain that passes for drand's, with a key that is ours: whoever knows this key alone is convinced by it. */
export const CHAIN = {
  ...ownChain(),
  hash: QUICKNET.hash,
  genesisS: QUICKNET.genesisS,
  periodS: QUICKNET.periodS,
};

export const BEACONS = beaconsOf(CHAIN);

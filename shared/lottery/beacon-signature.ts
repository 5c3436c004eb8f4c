import { bls12_381 } from "@noble/curves/bls12-381.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { isSignature, QUICKNET, type BeaconCheck, type DrandChain } from "./beacon.ts";

/*
 * drand's scheme `bls-unchained-g1-rfc9380`: the signature is a point of G1, the key one of G2, and the message is the
 * SHA-256 of the round's number in eight bytes, hashed to the curve as in RFC 9380. This file brings a curve library
 * along, so the browser loads it only for a round that has a beacon.
 */
const { shortSignatures } = bls12_381;
const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/** The point that a round's signature signs. */
export function signedPoint(round: number) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(round));
  return shortSignatures.hash(sha256(bytes), DOMAIN);
}

/** Checks beacons of these chains. Of any other chain nothing is signed. */
export const beaconsOf = (...chains: DrandChain[]): BeaconCheck => ({
  chains,
  isSigned({ chain: hash, round }, signature) {
    const chain = chains.find((one) => one.hash === hash);
    if (!chain || !isSignature(signature)) return false;
    try {
      return shortSignatures.verify(hexToBytes(signature), signedPoint(round), hexToBytes(chain.publicKey));
    } catch {
      // Not a point of the curve.
      return false;
    }
  },
});

/** Checks beacons of the only chain that rounds take theirs from. */
export const QUICKNET_BEACONS = beaconsOf(QUICKNET);

import { pippenger } from "@noble/curves/abstract/curve.js";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { isSignature, type DrandChain, type NamedBeacon } from "./beacon.ts";
import { signedPoint } from "./beacon-signature.ts";

export interface SignedBeacon {
  /** Null where a rule names none: nothing could be signed. */
  named: NamedBeacon | null;
  signature: string;
}

const { G1, G2, fields, pairingBatch } = bls12_381;
type Point = ReturnType<typeof G1.Point.fromBytes>;

/** A signature and what it signs, both as points, each with a factor of its own. */
interface Part {
  at: number;
  signature: Point;
  message: Point;
  factor: bigint;
}

/**
 * Checks many beacons for little more than hashing them: one product of pairings says that all of some are genuine. Each
 * stands there under a factor of 128 bits, which follows from all of them, so that two false ones cannot make up for each
 * other. Where the product is wrong, the halves are looked at.
 */
export function areSigned(chains: readonly DrandChain[], beacons: readonly SignedBeacon[]): boolean[] {
  const signed = beacons.map(() => false);
  for (const chain of chains) {
    const points = beacons.flatMap(({ named, signature }, at) => {
      const point = named?.chain === chain.hash ? pointOf(signature) : null;
      return named && point ? [{ at, round: named.round, text: signature, signature: point }] : [];
    });
    const all = hashOf(points.map(({ round, text }) => `${round} ${text}\n`).join(""));
    const parts = points.map(({ at, round, signature }, i): Part => ({
      at,
      signature,
      message: signedPoint(round),
      factor: factorOf(all, i),
    }));
    for (const at of genuine(parts, G2.Point.fromHex(chain.publicKey))) signed[at] = true;
  }
  return signed;
}

const hashOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));
const FACTOR_DIGITS = 32;
const factorOf = (all: string, i: number) => BigInt(`0x1${hashOf(`${all} ${i}`).slice(0, FACTOR_DIGITS)}`);

/** The point of a signature; null for what is none of the group. */
function pointOf(signature: string): Point | null {
  if (!isSignature(signature)) return null;
  try {
    const point = G1.Point.fromBytes(hexToBytes(signature));
    return point.is0() ? null : point;
  } catch {
    return null;
  }
}

function genuine(parts: readonly Part[], key: ReturnType<typeof G2.Point.fromHex>): number[] {
  if (parts.length === 0) return [];
  const factors = parts.map(({ factor }) => factor);
  const sum = (points: Point[]) => pippenger(G1.Point, points, factors);
  const product = pairingBatch([
    { g1: sum(parts.map(({ message }) => message)), g2: key },
    { g1: sum(parts.map(({ signature }) => signature)).negate(), g2: G2.Point.BASE },
  ]);
  if (fields.Fp12.eql(product, fields.Fp12.ONE)) return parts.map(({ at }) => at);
  const middle = Math.floor(parts.length / 2);
  return middle === 0 ? [] : [...genuine(parts.slice(0, middle), key), ...genuine(parts.slice(middle), key)];
}

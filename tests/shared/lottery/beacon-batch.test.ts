import { bls12_381 } from "@noble/curves/bls12-381.js";
import { describe, expect, it } from "vitest";
import { areSigned } from "#shared/lottery/beacon-batch.ts";
import { QUICKNET } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { ownChain, QUICKNET_1000 } from "../../support/drand-relay.ts";

const own = ownChain();
const other = ownChain(2);
const beaconOf = (round: number, signature = own.sign(round)) => ({ named: { chain: own.hash, round }, signature });
const genuine = Array.from({ length: 9 }, (_, i) => beaconOf(i + 1));
const chains = [own, QUICKNET];

const { Point } = bls12_381.G1;
const pointOf = (signature: string) => Point.fromHex(signature);

describe("many beacons at once", () => {
  it("are genuine, of several chains", () => {
    const quicknet = { named: { chain: QUICKNET.hash, round: 1_000 }, signature: QUICKNET_1000.signature };
    expect(areSigned(chains, [...genuine, quicknet])).toEqual(Array.from({ length: 10 }, () => true));
    expect(areSigned(chains, [])).toEqual([]);
    expect(areSigned([], genuine)).toEqual(genuine.map(() => false));
  });

  it.each([
    ["of another round", own.sign(6)],
    ["of another key", other.sign(5)],
    ["that is no point", "ff".repeat(48)],
    ["that is the point at infinity", `c0${"00".repeat(47)}`],
    ["that is cut off", own.sign(5).slice(2)],
    ["that is turned round", pointOf(own.sign(5)).negate().toHex()],
  ])("show the one with a signature %s", (_what, signature) => {
    const beacons = genuine.map((beacon, i) => (i === 4 ? { ...beacon, signature } : beacon));
    expect(areSigned(chains, beacons)).toEqual(genuine.map((_beacon, i) => i !== 4));
  });

  it("show two false ones that make up for each other in the sum", () => {
    const by = Point.BASE.multiply(7n);
    const beacons = [
      beaconOf(1, pointOf(own.sign(1)).add(by).toHex()),
      beaconOf(2),
      beaconOf(3, pointOf(own.sign(3)).subtract(by).toHex()),
    ];
    expect(areSigned(chains, beacons)).toEqual([false, true, false]);
  });

  it("show a point of the curve that is outside the group", () => {
    const outside = Array.from({ length: 64 }, (_, x) => {
      const hex = `80${(x + 1).toString(16).padStart(94, "0")}`;
      try {
        Point.fromHex(hex);
        return null;
      } catch (error) {
        return (error as Error).message.includes("subgroup") ? hex : null;
      }
    }).find((hex) => hex !== null)!;
    expect(outside).toMatch(/^80/);
    expect(areSigned(chains, [beaconOf(1), beaconOf(2, outside)])).toEqual([true, false]);
  });

  it("are judged as one by one", () => {
    const mixed = Array.from({ length: 20 }, (_, i) => beaconOf(i + 1, own.sign(i % 3 === 0 ? i + 2 : i + 1)));
    const { isSigned } = beaconsOf(own);
    expect(areSigned(chains, mixed)).toEqual(mixed.map(({ named, signature }) => isSigned(named, signature)));
  });
});

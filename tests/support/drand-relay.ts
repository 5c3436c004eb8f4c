import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { newestAt, type DrandChain } from "#shared/lottery/beacon.ts";
import { signedPoint } from "#shared/lottery/beacon-signature.ts";

const { shortSignatures } = bls12_381;

/** A chain whose key the tests hold. No server knows it unless a test hands it in. */
export interface OwnChain extends DrandChain {
  sign(round: number): string;
}

/** Every signature takes milliseconds, and relays give the same one again and again. */
const signatures = new Map<string, string>();

/** A chain like drand's, with a key made from one byte. */
export function ownChain(byte = 1): OwnChain {
  const key = new Uint8Array(32).fill(byte);
  const sign = (round: number) => shortSignatures.sign(signedPoint(round), key).toHex();
  return {
    hash: bytesToHex(key),
    publicKey: shortSignatures.getPublicKey(key).toHex(),
    genesisS: 1_700_000_000,
    periodS: 3,
    sign(round) {
      const name = `${byte} ${round}`;
      const signature = signatures.get(name) ?? sign(round);
      signatures.set(name, signature);
      return signature;
    },
  };
}

/** drand's own round 1000 of quicknet, signed on 2023-08-23 at 15:59:24 UTC. */
export const QUICKNET_1000 = {
  round: 1_000,
  signedAt: Date.UTC(2023, 7, 23, 15, 59, 24),
  signature: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
  randomness: "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
};

/** What a relay answers to a path: a status, with a body. Null: nothing, ever. */
type Answering = (path: string) => { status?: number; body: unknown } | null;

/** A relay on loopback. What it answers can be changed at any moment. */
export class DrandRelay {
  readonly asked: string[] = [];
  answer: Answering;
  readonly #server: Server;

  private constructor(answer: Answering) {
    this.answer = answer;
    this.#server = createServer((request, response) => {
      this.asked.push(request.url!);
      const reply = this.answer(request.url!);
      if (!reply) return;
      const { status = 200, body } = reply;
      const text = typeof body === "string" ? body : JSON.stringify(body);
      // A port may be another relay's in the next test, so no connection is kept for it.
      response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(text);
    });
  }

  static async start(answer: Answering): Promise<DrandRelay> {
    const relay = new DrandRelay(answer);
    relay.#server.listen(0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** Answers as an honest relay of a chain does at that moment: no round before its time. */
export const honest =
  (chain: OwnChain, now: () => number): Answering =>
  (path) => {
    const [, hash, wanted] = /^\/([0-9a-f]{64})\/public\/(latest|\d+)$/.exec(path) ?? [];
    const newest = newestAt(chain, now());
    const round = wanted === "latest" ? newest : Number(wanted);
    if (hash !== chain.hash || round > newest || round < 1) return { status: 404, body: { error: "not here" } };
    return { body: { round, signature: chain.sign(round) } };
  };

/** Every call is answered with an error. */
export const away: Answering = () => ({ status: 503, body: "away" });

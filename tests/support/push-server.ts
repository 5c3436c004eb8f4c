import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PushNote } from "#shared/contract/push.ts";
import { LoopbackServer } from "./loopback-server.ts";

/** A browser that takes Web Push messages: the receiving side of RFC 8291, written from the RFC alone. */
export class PushReceiver {
  readonly #key = createECDH("prime256v1");
  readonly #auth: Buffer;

  constructor(key?: string, auth?: string) {
    if (key === undefined) this.#key.generateKeys();
    else this.#key.setPrivateKey(Buffer.from(key, "base64url"));
    this.#auth = auth === undefined ? randomBytes(16) : Buffer.from(auth, "base64url");
  }

  get keys() {
    return { p256dh: this.#key.getPublicKey("base64url"), auth: this.#auth.toString("base64url") };
  }

  /** The message without its padding. Throws if anybody changed it. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body[20]!);
    const derive = (secret: Uint8Array, salted: Uint8Array, info: string | Buffer, bytes: number) =>
      Buffer.from(hkdfSync("sha256", secret, salted, info, bytes));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#key.getPublicKey(), sender]);
    const secret = derive(this.#key.computeSecret(sender), this.#auth, info, 32);
    const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
    const decipher = createDecipheriv("aes-128-gcm", key, derive(secret, salt, "Content-Encoding: nonce\0", 12));
    decipher.setAuthTag(body.subarray(-16));
    const padded = Buffer.concat([decipher.update(body.subarray(21 + sender.length, -16)), decipher.final()]);
    const end = padded.findLastIndex((byte) => byte !== 0);
    if (padded[end] !== 2) throw new Error("the last record has no end");
    return padded.subarray(0, end).toString("utf8");
  }

  read(body: Buffer): PushNote {
    return JSON.parse(this.decrypt(body)) as PushNote;
  }
}

export interface Pushed {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A push service on loopback that takes every message, unless `answer` says otherwise; 0 is no answer at all. */
export class PushServer extends LoopbackServer {
  readonly pushed: Pushed[] = [];
  answer: (pushed: Pushed) => { status: number; headers?: Record<string, string> } = () => ({ status: 201 });

  protected take(request: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const one = { path: request.url!, headers: request.headers, body: Buffer.concat(pieces) };
      this.pushed.push(one);
      const { status, headers = {} } = this.answer(one);
      if (status !== 0) response.writeHead(status, headers).end();
    });
  }
}

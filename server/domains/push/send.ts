import http from "node:http";
import https from "node:https";
import type { Deps } from "#server/app/deps.ts";
import type { pushSubscriptions } from "#db/schema/push.ts";
import type { PushKind, PushNote } from "#shared/contract/push.ts";
import { encryptPush, type Vapid } from "./encrypt.ts";
import { publicLookup, serviceOf, type Resolve } from "./hosts.ts";

/** A push service that takes longer counts as one that failed. */
const TIMEOUT_MS = 5_000;
const LONGEST_HEAD = 8_192;

const URGENCY: Record<PushKind, string> = {
  security: "high",
  withdrawals: "normal",
  results: "normal",
  notices: "low",
  videos: "low",
};

/** What a push service said: `gone`, there is no such subscription; `later`, try again, after so long if it says so. */
export type Delivery = { kind: "sent" | "gone" | "refused" } | { kind: "later"; afterMs: number };

export interface Parcel {
  kind: PushKind;
  note: PushNote;
  subscription: Pick<typeof pushSubscriptions.$inferSelect, "endpoint" | "p256dh" | "auth">;
  /** The push service forgets it then. */
  expiresAt: number;
}

/** Sends one message to its push service (RFC 8030). Throws only what is a bug; a service's failures are answers. */
export async function sendPush(
  deps: Pick<Deps, "pushServices" | "random" | "clock">,
  { vapid, resolve }: { vapid: Vapid; resolve: Resolve },
  { kind, note, subscription, expiresAt }: Parcel,
): Promise<Delivery> {
  const service = serviceOf(deps, subscription.endpoint);
  // The operator may have taken a service off the list since.
  if (!service) return { kind: "gone" };
  const now = deps.clock.now();
  const body = encryptPush(Buffer.from(JSON.stringify(note)), subscription, (bytes) => deps.random(bytes));
  const headers = {
    authorization: vapid.header(service.url, now),
    "content-encoding": "aes128gcm",
    "content-type": "application/octet-stream",
    "content-length": body.length,
    ttl: Math.max(0, Math.floor((expiresAt - now) / 1_000)),
    topic: vapid.topic(note.tag),
    urgency: URGENCY[kind],
  };
  const lookup = service.isOwn ? {} : { lookup: publicLookup(resolve) };
  return post(service.url, { method: "POST", headers, maxHeaderSize: LONGEST_HEAD, agent: false, ...lookup }, body);
}

/** The status decides: of the answer only its head is read. A redirect is not followed. */
function post(url: URL, options: https.RequestOptions, body: Buffer): Promise<Delivery> {
  const { promise, resolve } = Promise.withResolvers<Delivery>();
  const send = url.protocol === "https:" ? https.request : http.request;
  const request = send(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
    resolve(deliveryOf(response));
    response.destroy();
  });
  request.on("error", () => resolve({ kind: "later", afterMs: 0 }));
  request.end(body);
  return promise;
}

function deliveryOf({ statusCode = 0, headers }: http.IncomingMessage): Delivery {
  if (statusCode >= 200 && statusCode < 300) return { kind: "sent" };
  if (statusCode === 404 || statusCode === 410) return { kind: "gone" };
  if (statusCode !== 429 && statusCode < 500) return { kind: "refused" };
  const seconds = Number(headers["retry-after"]);
  return { kind: "later", afterMs: seconds > 0 ? seconds * 1_000 : 0 };
}

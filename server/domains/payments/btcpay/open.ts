import type { ReadSecret } from "#server/app/deps.ts";
import type { ChannelKind } from "#server/domains/payments/channel.ts";
import { BtcpayApi } from "./api.ts";
import { BtcpayChannel, type Plan } from "./btcpay.ts";

const NAMES = ["BTCPAY_URL", "BTCPAY_STORE", "BTCPAY_API_KEY", "BTCPAY_WEBHOOK_SECRET"];
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * `BTCPAY_URL`, `BTCPAY_STORE`, `BTCPAY_API_KEY` and `BTCPAY_WEBHOOK_SECRET`, each also as a file (`…_FILE`). `BTCPAY_OPEN` is
 * `frame`, or `qr` for only the code.
 */
function read(secret: ReadSecret): Plan | null {
  const [url, store, key, webhookSecret] = NAMES.map(secret);
  if (!url && !store && !key && !webhookSecret) return null;
  if (!url || !store || !key || !webhookSecret) throw new Error(`Set all of ${NAMES.join(", ")}, or none.`);
  const opens = secret("BTCPAY_OPEN") ?? "frame";
  if (opens !== "frame" && opens !== "qr") throw new Error("BTCPAY_OPEN must be frame or qr.");
  if (!URL.canParse(url)) throw new Error("BTCPAY_URL must be an address.");
  const { protocol, hostname, origin } = new URL(url);
  if (protocol !== "https:" && !LOOPBACK.test(hostname)) throw new Error("BTCPAY_URL must begin with https://.");
  return { api: new BtcpayApi(url, store, key), store, webhookSecret, origin, opens };
}

export const btcpay: ChannelKind = {
  code: "btcpay",
  isTried: false,
  isConfigured: (secret) => read(secret) !== null,
  open: async (deps, secret) => new BtcpayChannel(deps, read(secret)!),
};

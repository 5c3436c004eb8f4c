import { afterAll, beforeAll, expect, it } from "vitest";
import { checkProviders } from "#server/admin/doctor/payments.ts";
import { readConfig } from "#server/config/config.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { stripeWorld } from "./provider-world.ts";
import { PUBLIC_URL } from "./shop.ts";

const METRICS_TOKEN = "a-token-of-prometheus-alone-1234";

let made: Awaited<ReturnType<typeof stripeWorld>>;
beforeAll(async () => {
  made = await stripeWorld({ METRICS_TOKEN });
});
afterAll(() => made.close());

/** How long the provider was not seen, in seconds, as Prometheus reads it. */
async function unseen(): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}`, host: new URL(PUBLIC_URL).host };
  const { body } = await made.w.site.app.inject({ url: "/metrics", headers });
  return Number(/^trio_payments_unseen_seconds\{channel="stripe"\} (\S+)$/m.exec(body)?.[1]);
}

it("a provider that is away is told by how long it was not seen, asked again each minute, and named by the doctor", async () => {
  const { w, provider } = made;
  const { db, clock } = w.deps;
  const secrets = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
  const doctor = () => checkProviders({ db, clock }, readConfig(secrets, []));
  await w.site.payments.tick();
  expect([await unseen(), await doctor()]).toEqual([0, []]);
  provider.trouble = () => 503;
  for (const [minutes, seconds] of [
    [5, 300],
    [1, 360],
    [1, 420],
    [9, 960],
  ] as const) {
    w.pass(minutes * MINUTE_MS);
    await w.site.payments.tick();
    expect(await unseen()).toBe(seconds);
  }
  expect(await doctor()).toMatchObject([
    { level: "note", about: "payments", says: expect.stringMatching(/^stripe has shown no payments since/) },
  ]);
  provider.trouble = () => null;
  w.pass(MINUTE_MS);
  await w.site.payments.tick();
  expect([await unseen(), await doctor()]).toEqual([0, []]);
});

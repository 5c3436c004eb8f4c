import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { perKey } from "#server/domains/keys/per-key.ts";
import { serve, serveWrite } from "#server/http/serve.ts";
import * as contract from "#shared/contract/push.ts";
import { Vapid } from "./encrypt.ts";
import { readKinds, subscribe, unsubscribe } from "./subscriptions.ts";

/** What a device is told about while the app is closed, over HTTP. */
export function pushRoutes(app: FastifyInstance, deps: Deps): void {
  const vapidOf = perKey((key) => new Vapid(key, deps.publicUrl));

  serve(app, deps, contract.pushState, async ({ caller }) => ({
    key: vapidOf(deps.keys.now).publicKey,
    kinds: await readKinds(deps.db.read, caller.sessionId),
  }));

  serveWrite(app, deps, contract.subscribePush, async (tx, { input, caller, locale }) => {
    await subscribe(tx, deps, caller, { ...input, locale });
    return null;
  });

  serveWrite(app, deps, contract.unsubscribePush, async (tx, { caller }) => {
    await unsubscribe(tx, caller.sessionId);
    return null;
  });
}

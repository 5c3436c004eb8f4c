import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { needRelyingParty } from "#server/domains/account/read-passkeys.ts";
import { serve, servePrepared, serveWrite } from "#server/http/serve.ts";
import * as contract from "#shared/contract/passkeys.ts";
import { preparePasskey, writePasskey } from "./add-passkey.ts";
import { listPasskeys, passkeyWireId, removePasskey, renamePasskey } from "./keep-passkeys.ts";
import { addOptions, loginOptions, proofOptions } from "./passkey-options.ts";

/** A member's passkeys over HTTP, and the challenges for them. */
export function passkeyRoutes(app: FastifyInstance, deps: Deps): void {
  const { read } = deps.db;

  serve(app, deps, contract.passkeyLoginOptions, ({ host }) => loginOptions(deps, needRelyingParty(deps, host)));

  serve(app, deps, contract.passkeyProofOptions, ({ input: { purpose }, caller, host }) =>
    proofOptions(read, deps, { purpose, caller, party: needRelyingParty(deps, host) }),
  );

  serve(app, deps, contract.passkeyList, ({ caller: { memberId }, host, locale }) =>
    listPasskeys(read, deps, { memberId, party: deps.passkeysAt(host), locale }),
  );

  serve(app, deps, contract.passkeyAddOptions, ({ caller, host, locale }) =>
    addOptions(read, deps, { caller, party: needRelyingParty(deps, host), locale }),
  );

  servePrepared(
    app,
    deps,
    contract.addPasskey,
    ({ input, caller, host }) =>
      preparePasskey(deps, { json: input.passkey, caller, party: needRelyingParty(deps, host) }),
    async (tx, { input: { name }, caller }, genuine) => ({
      id: passkeyWireId(await writePasskey(tx, deps, caller.memberId, { ...genuine, name })),
    }),
  );

  serveWrite(app, deps, contract.renamePasskey, async (tx, { input: { id, name }, caller }) => {
    await renamePasskey(tx, caller.memberId, id, name);
    return null;
  });

  serveWrite(app, deps, contract.removePasskey, async (tx, { input: { id }, caller }) => {
    await removePasskey(tx, deps, caller.memberId, id);
    return null;
  });
}

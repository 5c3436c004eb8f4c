import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { members } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";
import { setRealName } from "#server/domains/account/real-name.ts";
import { serve, servePrepared, serveWrite } from "#server/http/serve.ts";
import * as contract from "#shared/contract/member.ts";
import { Refusal } from "#shared/refusal.ts";
import { claimUpload, removeUpload, storeUpload } from "./uploads.ts";
import { exportRoutes } from "./export-file.ts";
import { markRead, readMessages } from "./read-messages.ts";
import { setAvatar } from "./set-avatar.ts";
import { prepareFirstPin, prepareNextPin, writePin } from "./set-pin.ts";

/** The member's profile, messages and data export over HTTP. */
export function memberRoutes(app: FastifyInstance, deps: Deps, passwords: Passwords): void {
  serveWrite(app, deps, contract.setName, async (tx, { input, caller }) => {
    if (!(await setRealName(tx, caller.memberId, input.name))) throw new Refusal("name.set");
    return null;
  });

  serveWrite(app, deps, contract.setSex, async (tx, { input, caller }) => {
    await tx.update(members).set({ sex: input.sex }).where(eq(members.id, caller.memberId));
    return null;
  });

  serveWrite(app, deps, contract.uploadHeaderImg, async (tx, { input, caller }) => {
    await setAvatar(tx, deps, caller.memberId, input.header_img);
    return null;
  });

  servePrepared(
    app,
    deps,
    contract.setPayPassword,
    ({ input, caller }) => prepareFirstPin(deps, passwords, caller.memberId, input.paypassword),
    async (tx, { caller }, prepared) => {
      await writePin(tx, deps, caller.memberId, prepared);
      return null;
    },
  );

  servePrepared(
    app,
    deps,
    contract.editPayPassword,
    ({ input: { oldpaypwd, paypassword }, caller }) =>
      prepareNextPin(deps, passwords, caller.memberId, { pin: oldpaypwd, next: paypassword }),
    async (tx, { caller }, prepared) => {
      await writePin(tx, deps, caller.memberId, prepared);
      return null;
    },
  );

  messageRoutes(app, deps);
  exportRoutes(app, deps);
}

function messageRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, contract.messageList, ({ input, caller, locale }) =>
    readMessages(deps.db.read, deps, { memberId: caller.memberId, locale, ...input }),
  );

  serveWrite(app, deps, contract.readMessages, async (tx, { input, caller }) => {
    await markRead(tx, deps, caller.memberId, input.id);
    return null;
  });
}

/** Uploads, on an app that parses multipart bodies. */
export function uploadRoutes(app: FastifyInstance, deps: Deps): void {
  servePrepared(
    app,
    deps,
    contract.uploadImage,
    ({ input, caller }) => storeUpload(deps, caller.memberId, input.file),
    (tx, { caller }, path) => claimUpload(tx, deps, caller.memberId, path),
    (path) => removeUpload(deps, path),
  );
}

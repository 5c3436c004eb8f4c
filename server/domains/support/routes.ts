import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { serve, servePrepared, serveWrite } from "#server/http/serve.ts";
import { serveFile } from "#server/http/serve-file.ts";
import * as contract from "#shared/contract/support.ts";
import { Refusal, switchedOff } from "#shared/refusal.ts";
import { storeSent } from "./pictures.ts";
import { markRead, messageView, needMessage, readConversation } from "./read-conversation.ts";
import { writeToSupport } from "./write-message.ts";

/** A member's conversation with the customer service. */
export function supportRoutes(app: FastifyInstance, deps: Deps): void {
  const { read } = deps.db;

  serve(app, deps, contract.supportMessages, ({ input, caller: { memberId }, locale }) =>
    readConversation(read, { memberId, locale, ...input }),
  );

  serveWrite(app, deps, contract.sendMessage, async (tx, { input: { text }, caller, locale }) => {
    refuseClosed(deps);
    return messageView(await writeToSupport(tx, deps, caller.memberId, { text, picture: null }), locale);
  });

  serveWrite(app, deps, contract.readSupport, async (tx, { input, caller }) => {
    await markRead(tx, deps, caller.memberId, input.id);
    return null;
  });

  serveFile(app, deps, contract.supportPicture, async ({ input: { id }, caller }) => {
    const { picture } = await needMessage(read, caller.memberId, id);
    const file = picture === null ? null : await deps.storage.find(picture);
    if (!file) throw new Refusal("object.unknown");
    return { name: `${id}.webp`, type: "image/webp", content: Readable.from(file.read()) };
  });
}

/** Pictures for the service, on an app that parses multipart bodies. */
export function supportPictureRoutes(app: FastifyInstance, deps: Deps): void {
  servePrepared(
    app,
    deps,
    contract.sendPicture,
    ({ input, caller }) => {
      refuseClosed(deps);
      return storeSent(deps, caller.memberId, input.file);
    },
    async (tx, { caller, locale }, picture) =>
      messageView(await writeToSupport(tx, deps, caller.memberId, { text: "", picture }), locale),
    (picture) => deps.storage.remove(picture),
  );
}

function refuseClosed({ settings }: Pick<Deps, "settings">): void {
  if (settings.get("iskefu") !== 1) throw switchedOff("support");
}

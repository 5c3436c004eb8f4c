import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { servePrepared } from "#server/http/serve.ts";
import { uploadImage } from "#shared/contract/member.ts";
import { dropPicture, keepPicture, ownPicture } from "./bring-picture.ts";

/** What members bring as files, on an app that reads them. */
export function uploadRoutes(app: FastifyInstance, deps: Deps): void {
  servePrepared(
    app,
    deps,
    uploadImage,
    ({ input, caller }) => keepPicture(deps, caller.memberId, input.file),
    (tx, { caller }, path) => ownPicture(tx, deps, caller.memberId, path),
    (path) => dropPicture(deps, path),
  );
}

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps } from "#server/app/deps.ts";

/** No connection comes from this address, so a request that does is the site's own. */
const NOWHERE = "0.0.0.0";

/** Sends a request through the whole server without the network, to the site's own name. */
export function ownCallsOf(app: FastifyInstance, publicUrl: string): Deps["callItself"] {
  const authority = new URL(publicUrl).host;
  return (request) => app.inject({ ...request, authority, remoteAddress: NOWHERE });
}

/** Whether the site calls itself. What a proxy, or a header, says of an address makes no difference. */
export const isOwnCall = ({ socket }: Pick<FastifyRequest, "socket">): boolean => socket.remoteAddress === NOWHERE;

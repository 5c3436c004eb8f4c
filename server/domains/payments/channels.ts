import type { Deps } from "#server/deps.ts";
import type { Channel } from "./channel.ts";
import { Sandbox } from "./sandbox.ts";

export interface Channels {
  byCode: ReadonlyMap<string, Channel>;
  sandbox: Sandbox;
}

/** Every channel there is; which of them are offered is a setting. */
export function channelsOf(deps: Deps): Channels {
  const sandbox = new Sandbox(deps);
  return { byCode: new Map<string, Channel>([[sandbox.code, sandbox]]), sandbox };
}

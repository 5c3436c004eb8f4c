import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { hotLottery } from "#shared/contract/lottery.ts";
import { systemBase, systemConfig } from "#shared/contract/site.ts";
import type { ScreenPath } from "#shared/screens.ts";

/** The calls whose answers a screen shows first, to whoever asks for it. */
export const firstCalls = (screen: ScreenPath | undefined): AnyEndpoint[] =>
  screen === "/Home" ? [systemBase, systemConfig, hotLottery] : [systemBase];

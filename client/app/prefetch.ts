import { queryClient } from "#client/api/queries.ts";
import { call } from "#client/api/call.ts";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { hotLottery } from "#shared/contract/lottery.ts";
import { systemBase, systemConfig } from "#shared/contract/site.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { ROWS } from "#client/routes.tsx";

const HOME = /^\/(home)?\/?$/i;

/** Begins to fetch what the first screen will ask for, while its texts are still on their way. */
export function fetchAhead(path: string, language: LocaleCode): void {
  const wanted = HOME.test(path) ? "/home" : path.toLowerCase();
  // A screen that does not come now is asked for again when it is shown.
  void ROWS.find((row) => row.path.toLowerCase() === wanted)
    ?.load()
    .catch(() => undefined);
  ask(systemBase, language);
  if (wanted === "/home") for (const endpoint of [systemConfig, hotLottery]) ask(endpoint, language);
}

function ask(endpoint: AnyEndpoint, language: LocaleCode): void {
  const queryKey = [endpoint.path, {}, language];
  void queryClient.prefetchQuery({ queryKey, queryFn: ({ signal }) => call(endpoint, {}, { signal }) });
}

import { cleanup, render, renderHook } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { MemoryRouter, useLocation, type Location } from "react-router";
import { afterEach, beforeAll } from "vitest";
import { showLanguage } from "#client/text/i18n.ts";
import { systemBase, type BaseInfo } from "#shared/contract/site.ts";
import { LOCALES } from "#shared/locales.ts";

/** Part of the site's settings, as the server answered them before the test. */
export type Site = Partial<BaseInfo>;

interface Props {
  children: ReactNode;
  /** The history; the last entry is the current address. */
  places?: (string | Partial<Location>)[];
  site?: Site;
}

/** What every component of the client needs: settings and a history. Nothing here calls a server. */
export function Stage({ children, places = ["/Home"], site = {} }: Props) {
  const [answers] = useState(() => knownAnswers(site));
  return (
    <QueryClientProvider client={answers}>
      <MemoryRouter initialEntries={places}>
        {children}
        <Address />
      </MemoryRouter>
    </QueryClientProvider>
  );
}

function knownAnswers(site: Site): QueryClient {
  const answers = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity, retry: false } },
  });
  const base = { name: "Trio", unit: "point", isplay: 1, ...site };
  for (const { code } of LOCALES) answers.setQueryData([systemBase.path, {}, code], base);
  return answers;
}

/** Shows the current address, which `whereNow` reads. */
function Address() {
  const { pathname, search } = useLocation();
  return <i data-testid="address">{`${pathname}${search}`}</i>;
}

export const whereNow = (): string | null => document.querySelector('[data-testid="address"]')?.textContent ?? null;

/** Renders a component on the stage, with a simulated user. */
export function show(part: ReactNode, { places, site }: Omit<Props, "children"> = {}) {
  const stage = (inside: ReactNode) => (
    <Stage {...(places ? { places } : {})} {...(site ? { site } : {})}>
      {inside}
    </Stage>
  );
  const { rerender, unmount, container } = render(stage(part));
  return { user: userEvent.setup(), change: (other: ReactNode) => rerender(stage(other)), unmount, container };
}

/** Renders a hook on the stage. `current` holds what it returned last. */
export const stand = <T,>(hook: () => T, places: string[]) =>
  renderHook(hook, { wrapper: ({ children }: { children: ReactNode }) => <Stage places={places}>{children}</Stage> })
    .result;

/** Sets up a test file: English texts, and an empty page after each test. */
export function setStage(): void {
  beforeAll(() => showLanguage("en_us"));
  afterEach(cleanup);
}

import { cleanup, render, renderHook } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { afterEach, beforeAll } from "vitest";
import { showLanguage } from "#client/text/i18n.ts";
import { systemBase, type BaseInfo } from "#shared/contract/site.ts";
import { LOCALES } from "#shared/locales.ts";

/** Part of the site's settings, as the server has answered them before the test began. */
export type Site = Partial<BaseInfo>;

interface Props {
  children: ReactNode;
  /** The places one has been to; the last is the one on the screen. */
  places?: string[];
  site?: Site;
}

/** What every part of the client stands on: known answers and a history. Nothing here calls a server. */
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

/** Where one is, to be read by `whereNow`. */
function Address() {
  const { pathname, search } = useLocation();
  return <i data-testid="address">{`${pathname}${search}`}</i>;
}

export const whereNow = (): string | null => document.querySelector('[data-testid="address"]')?.textContent ?? null;

/** Puts a part on the stage, and somebody in front of it. */
export function show(part: ReactNode, { places, site }: Omit<Props, "children"> = {}) {
  const stage = (inside: ReactNode) => (
    <Stage {...(places ? { places } : {})} {...(site ? { site } : {})}>
      {inside}
    </Stage>
  );
  const { rerender, unmount, container } = render(stage(part));
  return { user: userEvent.setup(), change: (other: ReactNode) => rerender(stage(other)), unmount, container };
}

/** Puts a hook on the stage. What it returns now is in `current`. */
export const stand = <T,>(hook: () => T, places: string[]) =>
  renderHook(hook, { wrapper: ({ children }: { children: ReactNode }) => <Stage places={places}>{children}</Stage> })
    .result;

/** Readies a file of tests: English on the screen, and an empty page after each test. */
export function setStage(): void {
  beforeAll(() => showLanguage("en_us"));
  afterEach(cleanup);
}

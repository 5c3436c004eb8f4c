// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { useListing } from "#client/screens/listing/use-listing.ts";
import { languageNow } from "#client/text/i18n.ts";
import { getUserInfo } from "#shared/contract/session.ts";

/** Whether the server treats the caller as an active member, and how often it was asked for the listing. */
let isActive = false;
let asked = 0;
const answer = (path: string) => {
  const isListing = path.startsWith("/api/xuanfei/xuanfeidata");
  if (isListing) asked++;
  const data = isListing
    ? { id: "lst_1", activated: isActive ? 1 : 0, private: isActive ? { address: "Desk 1" } : null }
    : { is_see: isActive ? 1 : 0 };
  return Promise.resolve(Response.json({ code: 200, msg: "", data }));
};

let answers: QueryClient;
beforeEach(() => {
  answers = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  vi.stubGlobal("fetch", answer);
  isActive = false;
  asked = 0;
});
afterEach(() => {
  cleanup();
  forgetSession();
  vi.unstubAllGlobals();
});

async function look() {
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: answers }, children);
  const { result } = renderHook(() => useListing("lst_1"), { wrapper });
  await waitFor(() => expect(result.current.listing).toBeTruthy());
  return () => result.current.listing?.private ?? null;
}
/** A push with the account status. */
const standing = (is_see: 0 | 1) =>
  act(() => {
    isActive = is_see === 1;
    answers.setQueryData([getUserInfo.path, {}, languageNow()], { is_see });
  });

describe("a listing on the screen", () => {
  it("is fetched once, by a guest", async () => {
    const told = await look();
    expect([told(), asked]).toEqual([null, 1]);
  });

  it("is fetched again when its reader becomes an active member", async () => {
    writeStored("token", "mia-0001");
    const told = await look();
    standing(1);
    await waitFor(() => expect(told()).toEqual({ address: "Desk 1" }));
    expect(asked).toBe(2);
  });

  it("loses its private part as soon as they are no longer one", async () => {
    isActive = true;
    writeStored("token", "mia-0001");
    const told = await look();
    await waitFor(() => expect(told()).toEqual({ address: "Desk 1" }));
    vi.stubGlobal("fetch", () => new Promise(() => {}));
    standing(0);
    await waitFor(() => expect(told()).toBeNull());
  });

  it("is not fetched over and over when the server disagrees", async () => {
    writeStored("token", "mia-0001");
    await look();
    await act(async () => {
      answers.setQueryData([getUserInfo.path, {}, languageNow()], { is_see: 1 });
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(asked).toBe(2);
  });
});

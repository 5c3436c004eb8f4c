// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, readStored, writeStored } from "#client/storage/local-storage.ts";
import { MineMenus } from "#client/screens/member/MineMenus.tsx";
import Messages from "#client/screens/member/Messages.tsx";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

/** The server's data: the caller, their messages, newest first, and up to which each member has read theirs. */
let memberId = "";
let stored: number[] = [];
/** What an operator wrote in a message, in Thai. */
const reasons = new Map<number, string>();
/** Messages of other kinds. */
const kinds = new Map<number, string>();
/** Records of other kinds. */
const records = new Map<number, string>();
const readTo = new Map<string, number>();
/** How many answers with messages were read. */
let readings = 0;

const pageOf = (query: URLSearchParams) => {
  const limit = Number(query.get("limit"));
  const from = (Number(query.get("page") ?? "1") - 1) * limit;
  return stored.slice(from, from + limit).map((n) => ({
    id: `msg_${n}`,
    kind: kinds.get(n) ?? (n % 2 ? "withdraw.paid" : "membership.ended"),
    text: `Message ${n}${reasons.has(n) ? `: ${reasons.get(n)}` : ""}`,
    reason: reasons.get(n) ?? "",
    ...(reasons.has(n) && { langs: { reason: "th" } }),
    // Those of older versions do not say which withdrawal it was.
    record: records.get(n) ?? (n % 2 && n > 1 ? `wdr_${n}` : ""),
    create_time: 1_772_409_600 + n,
    unread: n > (readTo.get(memberId) ?? 0) ? 1 : 0,
  }));
};

function answer(path: string, { body }: { body?: URLSearchParams }) {
  const { pathname, searchParams } = new URL(path, "http://trio");
  if (body && pathname.endsWith("/readMessages")) readTo.set(memberId, Number(body.get("id")!.slice("msg_".length)));
  const data = pathname.endsWith("/messages") ? pageOf(searchParams) : null;
  const envelope = { code: 200, msg: "", data };
  const json = () => {
    if (pathname.endsWith("/messages")) readings++;
    return Promise.resolve(envelope);
  };
  return Promise.resolve({ headers: new Headers(), json });
}

/** The messages up to this one. */
const upTo = (newest: number) => Array.from({ length: newest }, (_, i) => newest - i);
const logIn = (id: string) => {
  memberId = id;
  writeStored("token", `token of ${id}`);
};

let count = 0;
beforeEach(() => {
  vi.stubGlobal("fetch", answer);
  logIn(`mem_${++count}`);
});
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
});

/** Opens the messages and leaves. Returns each text, and whether it is marked as new. */
async function look(): Promise<string[]> {
  const { unmount, change } = show(<Messages />);
  const list = await screen.findByRole("list", { name: "Your messages, newest first" });
  // A message that is rendered again stays as new as it was.
  change(<Messages />);
  const rows = within(list).getAllByRole("listitem");
  const shown = rows.map((row) => {
    const isNew = within(row).queryByText("New") !== null;
    return `${within(row).getByText(/^Message/).textContent}${isNew ? " new" : ""}`;
  });
  unmount();
  return shown;
}

/** The count on the link to the messages; null for none. */
async function badge(): Promise<string | null> {
  const before = readings;
  const { unmount } = show(<MineMenus />);
  const way = screen.getByRole("link", { name: /^Messages/ });
  // A guest has none to read.
  const wanted = readStored("token") ? before + 1 : before;
  await waitFor(() => expect(readings).toBeGreaterThanOrEqual(wanted));
  await act(() => Promise.resolve());
  const shown = within(way).queryByText(/new message/)?.textContent ?? null;
  unmount();
  return shown;
}

describe("a member's messages", () => {
  it("are shown newest first", async () => {
    stored = upTo(3);
    expect((await look()).map((shown) => shown.split(" ")[1])).toEqual(["3", "2", "1"]);
  });

  it("mark a reason in another language, and name it", async () => {
    stored = upTo(1);
    reasons.set(1, "เอกสารไม่ชัด");
    show(<Messages />);
    const reason = await screen.findByText("เอกสารไม่ชัด");
    expect(reason.getAttribute("lang")).toBe("th");
    expect(reason.closest("p")!.textContent).toBe("Message 1: เอกสารไม่ชัด (Thai)");
    reasons.clear();
  });

  it("lead to the record that they speak of, and to the list where they do not say which", async () => {
    stored = upTo(3);
    show(<Messages />);
    const receipt = await screen.findByRole("link", { name: "Details" });
    const list = screen.getByRole("link", { name: "Withdrawal history" });
    expect([receipt, list].map((link) => link.getAttribute("href"))).toEqual([
      "/WithdrawRecord?id=wdr_3",
      "/WithdrawRecord",
    ]);
  });

  it("lead to the listing under which a comment was hidden", async () => {
    stored = upTo(1);
    kinds.set(1, "comment.hidden");
    reasons.set(1, "A phone number");
    for (const [record, name, to] of [
      ["lst_4", "Details", "/nHomeDetail?id=lst_4"],
      // Those of older versions do not say which listing it was.
      ["", "Models & hosts", "/nHomeList"],
    ] as const) {
      records.set(1, record);
      const { unmount } = show(<Messages />);
      expect((await screen.findByRole("link", { name })).getAttribute("href")).toBe(to);
      unmount();
    }
    [kinds, reasons, records].forEach((all) => all.clear());
  });

  it("ask whether it was the member, where it may have been, and not of what the house did", async () => {
    stored = upTo(2);
    kinds.set(1, "security.renamed").set(2, "security.passwordChanged");
    reasons.set(1, "เอกสารไม่ชัด");
    show(<Messages />);
    const asks = await screen.findAllByRole("link", { name: "Not you? Check your account’s security" });
    const tells = screen.getByRole("link", { name: "Security" });
    expect([...asks, tells].map((link) => link.getAttribute("href"))).toEqual(["/Security", "/Security"]);
    kinds.clear();
    reasons.clear();
  });

  it("are said to be none", async () => {
    stored = [];
    show(<Messages />);
    expect(await screen.findByText("No messages yet")).toBeTruthy();
  });

  it("are new until they have been seen once", async () => {
    stored = upTo(2);
    expect(await look()).toEqual(["Message 2 new", "Message 1 new"]);
    expect(await look()).toEqual(["Message 2", "Message 1"]);
    stored = upTo(4);
    expect(await look()).toEqual(["Message 4 new", "Message 3 new", "Message 2", "Message 1"]);
    expect(await look()).toEqual(["Message 4", "Message 3", "Message 2", "Message 1"]);
  });

  it("are new to each member who reads them here, and not again after another device", async () => {
    stored = upTo(1);
    const first = memberId;
    await look();
    logIn(`${first}_other`);
    expect(await look()).toEqual(["Message 1 new"]);
    logIn(first);
    expect(await look()).toEqual(["Message 1"]);
    stored = upTo(2);
    readTo.set(first, 2);
    expect(await look()).toEqual(["Message 2", "Message 1"]);
  });

  it("are marked as read up to the newest", async () => {
    stored = upTo(25);
    await look();
    expect(readTo.get(memberId)).toBe(25);
  });
});

describe("the link to the messages", () => {
  it("counts those since the last look", async () => {
    stored = upTo(2);
    expect(await badge()).toBe("2 new messages");
    await look();
    expect(await badge()).toBe(null);
    stored = upTo(3);
    expect(await badge()).toBe("1 new message");
  });

  it("says so when there are more than it counts", async () => {
    stored = upTo(25);
    expect(await badge()).toBe("20 new messages");
    const { unmount } = show(<MineMenus />);
    expect((await screen.findByText("20+")).getAttribute("aria-hidden")).toBe("true");
    unmount();
    await look();
    expect(await badge()).toBe(null);
  });

  it("counts nothing for a guest", async () => {
    stored = upTo(2);
    forgetSession();
    expect(await badge()).toBe(null);
  });
});

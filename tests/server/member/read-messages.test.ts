import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addMessage } from "#server/domains/account/add-message.ts";
import { messageWireId } from "#server/domains/member/read-messages.ts";
import { HOUR_MS, toSeconds } from "#shared/time.ts";
import { openConnection } from "../../support/own-connection.ts";
import { runMigration } from "../../support/run-migration.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { SocketClients } from "../realtime/socket-client.ts";

let w: World;
let mia: Player;
let ben: Player;

beforeEach(async () => {
  w = await world();
  [mia, ben] = [await w.player("mia_1"), await w.player("ben_1")];
});
afterEach(() => w.close());

const tell = async ({ memberId }: Player): Promise<string> =>
  messageWireId(await w.deps.db.transact((tx) => addMessage(tx, w.deps, memberId, "membership.ended", {})));
const read = (id: string, who = mia) => who.call("/member/readMessages", { id });
const unread = async (who = mia): Promise<string[]> => {
  const { data } = await who.call("/member/messages", {}, { method: "GET" });
  return data.filter((message) => message.unread === 1).map(({ id }) => id);
};

describe("a member's messages", () => {
  it("are unread until they are marked, up to the one that is named", async () => {
    const [first, second, third] = [await tell(mia), await tell(mia), await tell(mia)];
    expect(await unread()).toEqual([third, second, first]);
    expect((await read(second)).code).toBe(200);
    expect(await unread()).toEqual([third]);
    // An older one takes nothing back.
    await read(first);
    expect(await unread()).toEqual([third]);
    await read(third);
    expect(await unread()).toEqual([]);
    expect(await unread()).not.toContain(await tell(ben));
    const next = await tell(mia);
    expect(await unread()).toEqual([next]);
  });

  it("from before there were marks count as read after the update, and those that came since do not", async () => {
    const [, marked] = [await tell(mia), await tell(ben)] as const;
    await read(marked, ben);
    const later = await tell(ben);
    const connection = await openConnection(w.config.database);
    await runMigration(connection, "0039_old_messages_read");
    await connection.close();
    expect([await unread(), await unread(ben)]).toEqual([[], [later]]);
    const next = await tell(mia);
    expect(await unread()).toEqual([next]);
  });

  it("are asked for by what they are about and by period, page by page", async () => {
    const say = (kind: "wheel.revealed" | "security.passcodeSet" | "membership.ended") =>
      w.deps.db.transact((tx) => addMessage(tx, w.deps, mia.memberId, kind, {}));
    await say("wheel.revealed");
    await say("security.passcodeSet");
    w.pass(HOUR_MS);
    const later = String(toSeconds(w.now()));
    for (const kind of ["security.passcodeSet", "membership.ended", "security.passcodeSet"] as const) await say(kind);
    const kinds = async (input: Record<string, string>) => {
      const { data } = await mia.call(`/member/messages?${new URLSearchParams(input)}`, {}, { method: "GET" });
      return (data as { kind: string }[]).map(({ kind }) => kind.split(".")[0]);
    };
    expect(await kinds({ about: "security" })).toHaveLength(3);
    expect(await kinds({ about: "security", from: later })).toEqual(["security", "security"]);
    expect(await kinds({ about: "security", from: later, limit: "1", page: "2" })).toEqual(["security"]);
    expect(await kinds({ from: later })).toEqual(["security", "membership", "security"]);
    expect(await kinds({ to: later })).toEqual(["security", "wheel"]);
    expect(await kinds({ about: "comment" })).toEqual([]);
    const { code } = await mia.call("/member/messages?about=weather", {}, { method: "GET" });
    expect(code).toBe(400);
  });

  it("are marked by their member alone", async () => {
    const [hers, his] = [await tell(mia), await tell(ben)];
    expect((await read(hers, ben)).reason).toBe("object.unknown");
    expect((await read(his)).reason).toBe("object.unknown");
    for (const id of ["msg_0", "msg_99", "1", "svc_1"]) expect((await read(id)).reason).toBe("object.unknown");
    expect([await unread(), await unread(ben)]).toEqual([[hers], [his]]);
  });

  it("tell the member's other devices once that they were read, and nobody else", async () => {
    const [first, second] = [await tell(mia), await tell(mia)];
    const clients = new SocketClients(await w.listen());
    const [phone, his] = [await clients.open({ token: mia.token }), await clients.open({ token: ben.token })];
    for (const id of [second, second, first]) await read(id);
    const third = await tell(mia);
    await read(third);
    await phone.next("message:read", ({ id }) => id === third);
    expect(phone.all("message:read")).toEqual([{ id: second }, { id: third }]);
    await his.drained();
    expect(his.all("message:read")).toEqual([]);
    clients.close();
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { kick } from "../../support/operator.ts";
import { ticketFor } from "../../support/partner.ts";
import { type World } from "../../support/world.ts";
import { send } from "../http/endpoints.ts";
import { SocketClients } from "../realtime/socket-client.ts";
import { allSessions } from "./people.ts";
import { enter, partnerWorld, whoHolds } from "./partner-world.ts";

let w: World;
let clients: SocketClients;
let sso: string;
let token: string;
let memberId: number;

beforeEach(async () => {
  w = await partnerWorld();
  clients = new SocketClients(await w.listen());
  sso = ticketFor("mia_1", w.now());
  token = (await enter(w, "mia_1", sso)).data.token;
  memberId = (await allSessions(w))[0]!.memberId;
});
afterEach(async () => {
  clients.close();
  await w.close();
});

const wrong = () => [
  undefined,
  "",
  "made up",
  sso.slice(0, -1),
  `${sso}A`,
  sso.toUpperCase(),
  ticketFor("mia_1", w.now()),
];
const logOut = (tokensso?: string) =>
  send(w, { path: "/member/doLogout", payload: "", token, ...(tokensso && { headers: { tokensso } }) });

describe("a session opened by a ticket", () => {
  it("is invalid without that very ticket, on each request", async () => {
    for (const tokensso of wrong()) {
      const { status, code, data } = await whoHolds(w, token, tokensso);
      expect([tokensso, status, code, data]).toEqual([tokensso, 200, 401, null]);
      expect((await logOut(tokensso)).code).toBe(401);
    }
    expect((await whoHolds(w, token, sso)).code).toBe(200);
  });

  it("is invalid without it on the socket too", async () => {
    for (const tokensso of [...wrong(), 7, null, {}, [sso]])
      expect((await clients.try({ token, tokensso }).refusal()).data).toMatchObject({ code: 401 });
    const client = await clients.open({ token, tokensso: sso });
    expect(client.socket.connected).toBe(true);
  });

  it("outlives the ticket, and the server", async () => {
    w.pass(3_600_000);
    expect((await whoHolds(w, token, sso)).code).toBe(200);
    await w.restart();
    expect((await whoHolds(w, token, sso)).code).toBe(200);
    expect((await whoHolds(w, token)).code).toBe(401);
  });

  it("reports its end to holders of both tokens, and to no other", async () => {
    const client = await clients.open({ token, tokensso: sso });
    await kick(w, memberId, "Please call us");
    expect(await client.next("session:kick")).toEqual({ code: 10001, msg: "Please call us" });
    expect([(await whoHolds(w, token, sso)).code, (await whoHolds(w, token)).code]).toEqual([10001, 401]);
    expect((await clients.try({ token, tokensso: sso }).refusal()).data).toMatchObject({ code: 10001 });
    expect((await clients.try({ token }).refusal()).data).toMatchObject({ code: 401 });
  });

  it("ends with its logout, and its ticket opens no other", async () => {
    expect((await logOut(sso)).code).toBe(200);
    expect((await whoHolds(w, token, sso)).code).toBe(401);
    expect((await enter(w, "mia_1", sso)).code).toBe(422);
    expect((await clients.try({ token, tokensso: sso }).refusal()).data).toMatchObject({ code: 401 });
  });

  it("does not lend its ticket to an ordinary one, which needs none", async () => {
    const ben = await w.player("ben_1");
    for (const tokensso of ["", sso, "left over"]) expect((await whoHolds(w, ben.token, tokensso)).code).toBe(200);
  });
});

describe("the log", () => {
  it("has no ticket, whatever address it was sent to", async () => {
    const bad = ticketFor("mia_1", w.now(), { claims: { exp: 1 } });
    await enter(w, "mia_1", bad);
    const paths = ["/", "/Home", "/api/member/doLoginthird", "/api/member/doLogin", "/nowhere.png"];
    for (const path of paths) {
      for (const sent of [sso, bad]) {
        const url = `${path}?sso=${sent}&username=mia_1`;
        await w.site.app.inject({ url, headers: { accept: "text/html", tokensso: sent } });
      }
    }
    const logged = w.logged.join("\n");
    for (const part of [...sso.split("."), ...bad.split(".")].filter((part) => part.length > 30))
      expect(logged).not.toContain(part);
  });
});

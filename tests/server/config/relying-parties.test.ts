import { expect, it } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { relyingPartiesOf } from "#server/config/relying-parties.ts";

const partyOf = (env: Record<string, string>, host: string | undefined) => {
  const party = relyingPartiesOf(readConfig({ DATA_DIR: "/nowhere", ...env }, []))(host);
  return typeof party === "string" ? party : `${party.id} ${party.origin}`;
};

const SITE = {
  HOST: "0.0.0.0",
  PUBLIC_URL: "https://www.club.example",
  HOSTS: "club.example,m.club.example,klub.example",
};
const PLAIN = { HOST: "0.0.0.0", PUBLIC_URL: "http://club.example" };
const BEHIND = { PUBLIC_URL: "https://club.example:8443" };

it.each<[what: string, env: Record<string, string>, host: string | undefined, party: string]>([
  ["this machine, by name", {}, "localhost:3000", "localhost http://localhost:3000"],
  ["this machine, by address", {}, "127.0.0.1:3000", "address"],
  ["this machine, by its other address", {}, "[::1]:3000", "address"],
  ["this machine, named so", { PUBLIC_URL: "http://localhost:3000" }, "127.0.0.1:3000", "address"],
  ["a network's machine", { HOST: "0.0.0.0" }, "192.0.2.7:3000", "address"],
  ["a site with an address for a name", { HOST: "0.0.0.0", PUBLIC_URL: "https://192.0.2.7" }, "192.0.2.7", "address"],
  ["a site without TLS", PLAIN, "club.example", "insecure"],
  ["its address", PLAIN, "192.0.2.7", "address"],
  ["a site", SITE, "www.club.example", "club.example https://www.club.example"],
  ["its shorter name", SITE, "club.example", "club.example https://club.example"],
  ["its name in capitals", SITE, "M.Club.Example:443", "club.example https://m.club.example"],
  ["its name of another family, which ends alike", SITE, "klub.example", "klub.example https://klub.example"],
  ["a foreign name", SITE, "evil.example", "club.example https://www.club.example"],
  ["no name", SITE, undefined, "club.example https://www.club.example"],
  ["no name that could be one", SITE, "a b", "club.example https://www.club.example"],
  ["a proxy that asks by address", BEHIND, "127.0.0.1:3000", "club.example https://club.example:8443"],
  ["the operator beside that proxy", BEHIND, "localhost:3000", "localhost http://localhost:3000"],
  ["localhost of somebody else", SITE, "localhost", "club.example https://www.club.example"],
])("%s", (_what, env, host, party) => {
  expect(partyOf(env, host)).toBe(party);
});

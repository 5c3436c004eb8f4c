import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { set } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await world({ env: { PUBLIC_URL: "https://club.example" } });
});
afterAll(() => w.close());

/** One directive of the pages' policy. */
async function policyOf(directive: string): Promise<string[]> {
  const { headers } = await w.site.app.inject({ url: "/Home", headers: { accept: "text/html" } });
  const parts = String(headers["content-security-policy"]).split(";");
  const [, ...sources] = parts.map((part) => part.trim().split(" ")).find(([name]) => name === directive) ?? [];
  return [...new Set(sources)];
}
const OWN = ["'self'", "https://club.example"];

describe("what a page may frame", () => {
  it("is the site itself, and no service while none is configured", async () => {
    expect(await policyOf("frame-src")).toEqual(OWN);
  });

  it("includes the online service, as soon as and as long as the operator configures one on https", async () => {
    await set(w, "kefu", "https://help.example:8443/chat?room=1");
    expect(await policyOf("frame-src")).toEqual([...OWN, "https://help.example:8443"]);
    await set(w, "kefu", "https://other.example/");
    expect(await policyOf("frame-src")).toEqual([...OWN, "https://other.example"]);
    expect(await policyOf("script-src")).toEqual(["'self'"]);
    expect(await policyOf("default-src")).toEqual(["'self'"]);
    await set(w, "kefu", "");
    expect(await policyOf("frame-src")).toEqual(OWN);
  });

  it.each([
    "http://help.example/",
    "https://*/",
    "https://a; script-src *",
    "tel:+123",
    "javascript:alert(1)",
    "'none'",
  ])("includes nothing more for %s", async (address) => {
    await set(w, "kefu", address);
    expect(await policyOf("frame-src")).toEqual(OWN);
    expect(await policyOf("script-src")).toEqual(["'self'"]);
  });
});

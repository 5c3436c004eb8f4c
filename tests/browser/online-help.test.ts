import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

const HELP = "https://help.example/chat";

let browser: Browser;
let server: ServerProcess;
let visitor: Visitor;
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start()]);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  visitor = await Visitor.come(browser, server.address);
  await visitor.page.route(/help\.example/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Hello from the desk</h1>" }),
  );
});
afterEach(() => visitor.close());

const set = (name: string, value: string) => server.run("server/admin/main.ts", "setting:set", name, value);
const says = (key: Parameters<Visitor["words"]["like"]>[0]) => visitor.page.getByText(visitor.words.like(key)).first();

describe("the online service", () => {
  it("is in a frame for anyone, with its hours and a link past the frame", async () => {
    await set("kefu", HELP);
    await set("kefu_hours", "9–18");
    for (const path of ["/ServiceOnline", "/ServicePage"]) {
      await visitor.page.goto(path);
      await visitor.page.frameLocator("iframe").getByText("Hello from the desk").waitFor();
      await visitor.page.getByText(/9–18/).waitFor();
      const link = visitor.page.getByRole("link", { name: visitor.words.text("service.open") });
      expect(await link.getAttribute("href")).toBe(HELP);
      expect(await link.getAttribute("target")).toBe("_blank");
    }
    // The init script of `newDevice` may not run in a foreign frame.
    expect(visitor.faults.filter((fault) => !fault.includes("sessionStorage"))).toEqual([]);
  });

  it("that moves while the page is open can still be reached, and is framed on the next page", async () => {
    await set("kefu", "");
    await visitor.page.goto("/ServiceOnline");
    await says("service.none").waitFor();
    await set("kefu", HELP);
    // The page's policy is as old as the page.
    await says("service.elsewhere").waitFor();
    expect(await visitor.page.locator("iframe").count()).toBe(0);
    await visitor.page.reload();
    await visitor.page.frameLocator("iframe").getByText("Hello from the desk").waitFor();
  });

  it("says when it is switched off, as soon as it is", async () => {
    await set("kefu", HELP);
    await visitor.page.goto("/ServiceOnline");
    await visitor.page.locator("iframe").waitFor();
    await set("iskefu", "0");
    await says("service.off").waitFor();
    expect(await visitor.page.locator("iframe").count()).toBe(0);
    await set("iskefu", "1");
  });
});

describe("notices", () => {
  it("are listed newest first, and a new one appears by itself", async () => {
    const { page, words } = visitor;
    await visitor.register("reader");
    await page.goto("/Notice");
    await page.getByText(words.text("notices.empty")).waitFor();
    const add = (name: string, text: string) =>
      server.run("server/admin/main.ts", "notice:add", "--name", name, "--text", text);
    await add("First", "The doors are open");
    await page.getByText("The doors are open").waitFor();
    await add("Second", "They stay open");
    const names = page.locator("main li h2");
    await expect.poll(() => names.allTextContents()).toEqual(["Second", "First"]);
  });
});

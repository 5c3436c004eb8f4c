import { describe, expect } from "vitest";
import { systemBase } from "#shared/contract/site.ts";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";
import { pngOf } from "../support/pictures.ts";
import type { StoryServer } from "../support/server-process.ts";
import type { Visitor } from "../support/visitor.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";

const HELP = "https://help.example/chat";

let visitor: Visitor;
const test = browserTest();
test.beforeEach(({ visitor: guest }) => {
  visitor = guest;
});

test.beforeEach(({ visitor: { page } }) =>
  page.route(/help\.example/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Hello from the desk</h1>" }),
  ),
);

/** Sets it, and waits until the server says so: a page that is fetched before has the policy of before. */
async function set(server: StoryServer, name: "kefu" | "kefu_hours" | "iskefu", value: string): Promise<void> {
  await operatorOf(server)("setting:set", name, value);
  const reader = new Client(server.address);
  await expect.poll(async () => String((await reader.must(systemBase))[name])).toBe(value);
}
const says = (key: Parameters<Visitor["words"]["like"]>[0]) => visitor.page.getByText(visitor.words.like(key)).first();

describe("the online service", () => {
  test("is in a frame for anyone, with its hours and a link past the frame", async ({ server }) => {
    await set(server, "kefu", HELP);
    await set(server, "kefu_hours", "9–18");
    for (const path of ["/ServiceOnline", "/ServicePage"]) {
      await visitor.page.goto(path);
      await visitor.page.frameLocator("iframe").getByText("Hello from the desk").waitFor();
      await visitor.page.getByText(/9–18/).waitFor();
      const link = visitor.page.getByRole("link", { name: visitor.words.text("service.open") });
      expect(await link.getAttribute("href")).toBe(HELP);
      expect(await link.getAttribute("target")).toBe("_blank");
    }
  });

  test("that moves while the page is open can still be reached, and is framed on the next page", async ({ server }) => {
    await set(server, "kefu", "");
    await visitor.page.goto("/ServiceOnline");
    await says("service.guest").waitFor();
    await set(server, "kefu", HELP);
    // The page's policy is as old as the page.
    visitor.expectFault(/Content Security Policy directive: "frame-src/);
    await says("service.elsewhere").waitFor();
    expect(await visitor.page.locator("iframe").count()).toBe(0);
    await visitor.page.reload();
    await visitor.page.frameLocator("iframe").getByText("Hello from the desk").waitFor();
  });

  test("says when it is switched off, as soon as it is", async ({ server }) => {
    await set(server, "kefu", HELP);
    await visitor.page.goto("/ServiceOnline");
    await visitor.page.locator("iframe").waitFor();
    await set(server, "iskefu", "0");
    await says("service.off").waitFor();
    expect(await visitor.page.locator("iframe").count()).toBe(0);
    await set(server, "iskefu", "1");
  });
});

describe("a conversation with the service", () => {
  test("is answered while it is open, with a picture, and what was written without a line is sent once", async ({
    server,
    enter,
  }) => {
    const { page, words } = await enter("asker");
    await page.goto("/ServiceOnline");
    await page.getByText(words.text("service.empty")).waitFor();
    const field = page.getByRole("textbox", { name: words.text("service.message") });
    const send = page.getByRole("button", { name: words.text("service.send"), exact: true });
    const messages = page.getByRole("log").locator("li");
    await field.fill("Where is my top-up?\nSince noon");
    await send.click();
    await page.getByText(/^You\s· /).waitFor();
    await operatorOf(server)("message:answer", "asker", "--text", "It is there now.");
    await page.getByText("It is there now.").waitFor();
    const picture = { name: "receipt.png", mimeType: "image/png", buffer: Buffer.from(await pngOf(900, 1_600)) };
    await page.locator("input[type=file]").setInputFiles(picture);
    await page.getByRole("img", { name: words.like("service.sentPicture") }).waitFor();
    await page.context().setOffline(true);
    await field.fill("Thank you");
    await send.click();
    await page.getByText(words.text("service.kept")).waitFor();
    await page.context().setOffline(false);
    await page.getByText(words.text("service.kept")).waitFor({ state: "detached" });
    await page.reload();
    await expect.poll(() => messages.count()).toBe(4);
    expect(await messages.last().innerText()).toMatch(/^Thank you/);
  });

  test("shows elsewhere how many answers are new, until one reads them on any device", async ({ server, enter }) => {
    const { page, words } = await enter("waiter");
    await page.goto("/Mine");
    await operatorOf(server)("message:answer", "waiter", "--text", "Welcome");
    const count = "1 new message";
    const tab = page.getByRole("navigation").getByRole("link", { name: count });
    await tab.waitFor();
    // A page loaded anew would end the request that marks it as read.
    const read = page.waitForResponse(/support\/read/);
    await page.getByRole("link", { name: new RegExp(`${words.text("mine.service")}.*${count}`) }).click();
    await page.getByText("Welcome").waitFor();
    await read;
    await page.goto("/Mine");
    await tab.waitFor({ state: "detached" });
  });
});

describe("notices", () => {
  test("are listed newest first, and a new one appears by itself", async ({ server, enter }) => {
    const { page, words } = await enter("reader");
    await page.goto("/Notice");
    await page.getByText(words.text("notices.empty")).waitFor();
    const add = (name: string, text: string) => operatorOf(server)("notice:add", "--name", name, "--text", text);
    await add("First", "The doors are open");
    await page.getByText("The doors are open").waitFor();
    await add("Second", "They stay open");
    const names = page.locator("main li h2");
    await expect.poll(() => names.allTextContents()).toEqual(["Second", "First"]);
  });
});

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { offerPrizes } from "../support/prizes.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

let browser: Browser;
let server: ServerProcess;
let visitor: Visitor;
/** The server's text of the prize, as if its own cleaning had failed. */
let html = "";
beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start()]);
  await offerPrizes(server);
  visitor = await Visitor.come(browser, server.address);
  const { page } = visitor;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await visitor.register("reader");
  await page.route("**/api/luckdraw", (route) => {
    const won = { id: "wide", title: "Ten", image: "/prizes/points-10.svg", msgmemo: html, nonce: 0, spins_left: 1 };
    return route.fulfill({ json: { code: 200, msg: "", data: Buffer.from(JSON.stringify(won)).toString("base64") } });
  });
  await page.goto("/luckDraw");
});
afterAll(async () => {
  await visitor.close();
  await browser.close();
  await server.close();
});

/** An operator's HTML on the screen: its elements, each with its attributes. */
async function shown(given: string): Promise<string[]> {
  html = `<p>It begins</p>${given}`;
  const { page, words } = visitor;
  await page.getByRole("button", { name: words.text("wheel.go") }).click();
  const begins = page.getByRole("dialog").getByText("It begins");
  await begins.waitFor();
  const elements = await begins.locator("xpath=..").evaluate((whole) =>
    [...whole.querySelectorAll("*")].slice(1).map((element) => {
      const attributes = element.getAttributeNames().map((name) => `${name}=${element.getAttribute(name)}`);
      return [element.localName, ...attributes].join(" ");
    }),
  );
  await visitor.button("action.ok").click();
  await begins.waitFor({ state: "detached" });
  expect(await page.evaluate(() => "bad" in window)).toBe(false);
  return elements;
}

describe("an operator's HTML", () => {
  it.each([
    [
      "words and lists",
      `<h2>A</h2><p>b <b>c</b> <em>d</em></p><ul><li>e</li></ul>`,
      ["h2", "p", "b", "em", "ul", "li"],
    ],
    [
      "ways out and in",
      `<a href="https://e.example/x">out</a><a href="/Mine">in</a>`,
      ["a href=https://e.example/x", "a href=/Mine"],
    ],
  ])("keeps %s", async (_, given, kept) => expect(await shown(given)).toEqual(kept));

  it.each<[string, string, string[]]>([
    ["a script", `<script>window.bad = 1</script>`, []],
    ["a picture and its error", `<img src="x" onerror="window.bad = 1">`, []],
    ["a handler", `<p onclick="window.bad = 1">x</p>`, ["p"]],
    ["a script's address", `<a href="javascript:window.bad = 1">x</a>`, ["a"]],
    ["one in disguise", `<a href="java&#10;script:window.bad = 1">x</a>`, ["a"]],
    ["data", `<a href="data:text/html,<script>window.bad = 1</script>">x</a>`, ["a"]],
    ["another house by its name", `<a href="//evil.example/">x</a>`, ["a"]],
    ["a style", `<p style="position:fixed;inset:0">x</p><style>* { display: none }</style>`, ["p"]],
    ["a frame", `<iframe src="https://evil.example/"></iframe>`, []],
    ["a form", `<form action="https://evil.example/"><input name="password"><button>x</button></form>`, []],
    ["a drawing and its script", `<svg><script>window.bad = 1</script><a href="javascript:0">x</a></svg>`, []],
    ["names and marks", `<p id="root" class="fixed" data-x="1" aria-hidden="true">x</p>`, ["p"]],
  ])("loses %s", async (_, given, kept) => expect(await shown(given)).toEqual(kept));
});

import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";
import { offerPrizes } from "../support/prizes.ts";
import { Visitor } from "../support/visitor.ts";

let visitor: Visitor;
/** The server's text of the prize, as if its own cleaning had failed. */
let html = "";
/** All of it is shown on one page. */
const test = browserTest({ furnish: offerPrizes }).extend(
  "reader",
  { scope: "file" },
  async ({ browser, server }, { onCleanup }) => {
    const { token } = await new Client(server.address).register("reader");
    const reader = await Visitor.come(browser, server.address, { token: token! });
    onCleanup(() => reader.close());
    const { page } = reader;
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.route("**/api/luckdraw", (route) => {
      const won = { id: "wide", title: "Ten", image: "/prizes/points-10.svg", msgmemo: html, nonce: 0, spins_left: 1 };
      return route.fulfill({ json: { code: 200, msg: "", data: won } });
    });
    await page.goto("/luckDraw");
    return reader;
  },
);
test.beforeEach(({ reader }) => {
  visitor = reader;
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
  test.each([
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
  ])("keeps %s", async (_, given, expected) => expect(await shown(given)).toEqual(expected));

  test.each<[string, string, string[]]>([
    ["a script", `<script>window.bad = 1</script>`, []],
    ["a picture and its error", `<img src="x" onerror="window.bad = 1">`, []],
    ["a handler", `<p onclick="window.bad = 1">x</p>`, ["p"]],
    ["a script's address", `<a href="javascript:window.bad = 1">x</a>`, ["a"]],
    ["one with an encoded line break", `<a href="java&#10;script:window.bad = 1">x</a>`, ["a"]],
    ["data", `<a href="data:text/html,<script>window.bad = 1</script>">x</a>`, ["a"]],
    ["another house by its name", `<a href="//evil.example/">x</a>`, ["a"]],
    ["a style", `<p style="position:fixed;inset:0">x</p><style>* { display: none }</style>`, ["p"]],
    ["a frame", `<iframe src="https://evil.example/"></iframe>`, []],
    ["a form", `<form action="https://evil.example/"><input name="password"><button>x</button></form>`, []],
    ["a drawing and its script", `<svg><script>window.bad = 1</script><a href="javascript:0">x</a></svg>`, []],
    ["names and marks", `<p id="root" class="fixed" data-x="1" aria-hidden="true">x</p>`, ["p"]],
  ])("loses %s", async (_, given, expected) => expect(await shown(given)).toEqual(expected));
});

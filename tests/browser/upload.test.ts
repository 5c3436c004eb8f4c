import sharp from "sharp";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { ServerProcess } from "../support/server-process.ts";
import { Visitor } from "../support/visitor.ts";

let browser: Browser;
let server: ServerProcess;
let cable: CuttableProxy;
let visitor: Visitor;
let visitors = 0;
let photo: Buffer;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), ServerProcess.start()]);
  const noise = { type: "gaussian", mean: 128, sigma: 80 } as const;
  photo = await sharp({ create: { width: 1_000, height: 800, channels: 3, background: "red", noise } })
    .png()
    .toBuffer();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  cable = await CuttableProxy.lay(server.address);
  visitor = await Visitor.come(browser, cable.address);
  await visitor.register(`upload_${++visitors}`);
  await visitor.page.goto("/Infomation");
  await visitor.button("info.avatar").click();
  await visitor.button("upload.choose").waitFor();
});
afterEach(async () => {
  const { faults } = visitor;
  await visitor.close();
  await cable[Symbol.asyncDispose]();
  if (faults.length > 0) throw new Error(faults.join("\n"));
});

const SOON = { timeout: 20_000 };
const sheet = () => visitor.page.getByRole("dialog", { name: visitor.words.text("info.chooseAvatar") });
const choose = (buffer: Buffer, name = "me.png", mimeType = "image/png") =>
  visitor.page.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer });
const alerts = () => sheet().getByRole("alert");
const alert = () => alerts().first().textContent();
const preview = () => visitor.page.getByAltText(visitor.words.text("upload.preview"));
const avatarShown = () => visitor.page.locator('main img[src^="/files/uploads/"]');
const saved = () => visitor.page.getByText(visitor.words.text("info.avatarSaved")).first().waitFor();
const files = async () => {
  const seen = await visitor.page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  return seen.filter((name) => name.endsWith("/system/uploadimg")).length;
};

describe("a member's own picture", () => {
  it("is chosen, previewed, used, and there on every screen and after a reload", async () => {
    await choose(photo);
    await preview().waitFor();
    expect(await preview().evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(
      1_000,
    );
    await visitor.button("upload.use").click();
    await saved();
    await sheet().waitFor({ state: "detached" });
    await visitor.page.reload();
    await avatarShown().waitFor();
    const width = await avatarShown().evaluate((image: HTMLImageElement) =>
      image.decode().then(() => image.naturalWidth),
    );
    expect(width).toBe(512);
    await visitor.page.goto("/Mine");
    await avatarShown().first().waitFor();
  });

  it("is refused with the server's text when it is invalid, and another can be chosen", async () => {
    await choose(Buffer.from("I am a text"), "renamed.png");
    await visitor.button("upload.use").click();
    await expect.poll(alert, SOON).toContain("Please choose a JPEG");
    expect(await visitor.button("action.retry").isVisible()).toBe(true);
    await choose(photo);
    expect(await alerts().count()).toBe(0);
    await visitor.button("upload.use").click();
    await saved();
  });

  it("is refused as too large, or of a wrong type, before the upload", async () => {
    await choose(Buffer.concat([photo, Buffer.alloc(5 * 1024 * 1024)]));
    await expect.poll(alert, SOON).toContain("larger than 5");
    await choose(Buffer.from("%PDF-1.7"), "me.pdf", "application/pdf");
    await expect.poll(alert, SOON).toContain("This kind of file");
    expect(await preview().count()).toBe(0);
    expect(await files()).toBe(0);
  });
});

describe("an upload on a bad connection", () => {
  it("shows its progress, can be cancelled, and keeps the chosen picture", async () => {
    await choose(photo);
    await preview().waitFor();
    cable.cut();
    await visitor.button("upload.use").click();
    const bar = visitor.page.getByRole("progressbar");
    await bar.waitFor();
    await visitor.button("action.cancel").click();
    await bar.waitFor({ state: "detached" });
    expect(await alerts().count()).toBe(0);
    cable.mend();
    await visitor.button("upload.use").click();
    await saved();
  });

  it("that breaks in the middle says so, and is one picture when it is sent again", async () => {
    await choose(photo);
    const keys: (string | undefined)[] = [];
    visitor.page.on("request", (request) => {
      if (request.url().endsWith("/system/uploadimg")) keys.push(request.headers()["idempotency-key"]);
    });
    // The server gets it whole; its answer is lost.
    await visitor.page.route("**/system/uploadimg", async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    });
    await visitor.button("upload.use").click();
    await expect.poll(alert, SOON).toContain("could not be reached");
    expect(await preview().isVisible()).toBe(true);
    await visitor.page.unroute("**/system/uploadimg");
    await visitor.button("action.retry").click();
    await saved();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });
});

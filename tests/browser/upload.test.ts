import sharp from "sharp";
import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import type { Visitor } from "../support/visitor.ts";

let cable: CuttableProxy;
let visitor: Visitor;
let visitors = 0;
/** A picture that does not become small. */
const photo = await sharp({
  create: {
    width: 1_000,
    height: 800,
    channels: 3,
    background: "red",
    noise: { type: "gaussian", mean: 128, sigma: 80 },
  },
})
  .png()
  .toBuffer();

const test = browserTest().extend("cable", async ({ server }, { onCleanup }) => {
  const laid = await CuttableProxy.lay(server.address);
  onCleanup(() => laid[Symbol.asyncDispose]());
  return laid;
});
test.beforeEach(async ({ cable: laid, enter }) => {
  cable = laid;
  visitor = await enter(`upload_${++visitors}`, 0, { address: cable.address });
  await visitor.page.goto("/Infomation");
  await visitor.button("info.avatar").click();
  await visitor.button("upload.choose").waitFor();
});

const SOON = { timeout: 60_000 };
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
  test("is chosen, previewed, used, and there on every screen and after a reload", async () => {
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

  test("is refused with the server's text when it is invalid, and another can be chosen", async () => {
    await choose(Buffer.from("I am a text"), "renamed.png");
    await visitor.button("upload.use").click();
    await expect.poll(alert, SOON).toContain("Please choose a JPEG");
    expect(await visitor.button("action.retry").isVisible()).toBe(true);
    await choose(photo);
    expect(await alerts().count()).toBe(0);
    await visitor.button("upload.use").click();
    await saved();
  });

  test("is refused as too large, or of a wrong type, before the upload", async () => {
    await choose(Buffer.concat([photo, Buffer.alloc(5 * 1024 * 1024)]));
    await expect.poll(alert, SOON).toContain("larger than 5");
    await choose(Buffer.from("%PDF-1.7"), "me.pdf", "application/pdf");
    await expect.poll(alert, SOON).toContain("This kind of file");
    expect(await preview().count()).toBe(0);
    expect(await files()).toBe(0);
  });
});

describe("an upload on a bad connection", () => {
  test("shows its progress, can be cancelled, and keeps the chosen picture", async () => {
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

  test("that breaks in the middle says so, and is one picture when it is sent again", async () => {
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

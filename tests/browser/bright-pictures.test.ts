import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import { worstContrast } from "../support/contrast.ts";
import { operatorOf } from "../support/withdrawal-steps.ts";
import type { StoryServer } from "../support/server-process.ts";

const NAME = "Nguyễn Thị Bích Ngọc";

/** A listing whose pictures are as bright as an operator's can be. */
async function fillBright(server: StoryServer): Promise<void> {
  const operator = operatorOf(server);
  await operator("city:add", "Hanoi");
  const folder = join(server.folder, "bright");
  mkdirSync(folder);
  const pictures = ["a.png", "b.png"];
  for (const [i, name] of pictures.entries()) {
    const white = { width: 330 + i, height: 440, channels: 3, background: "#fff" } as const;
    await sharp({ create: white }).png().toFile(join(folder, name));
  }
  const host = { code: "bright", city: "Hanoi", name: NAME, district: "Old town", birthday: "1996-03-03", height: 165 };
  const rest = {
    price: 300,
    address: "Desk 7",
    contact: "desk@maple.example",
    headline: "On stage",
    service: ["Tours"],
  };
  writeFileSync(join(folder, "listings.json"), JSON.stringify([{ ...host, ...rest, pictures, consent: true }]));
  await operator("listing:import", join(folder, "listings.json"));
}

const test = browserTest({ furnish: fillBright });

test("what lies on an operator's brightest picture is legible, in both themes", async ({ enter }) => {
  const { page } = await enter("reads_all");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [path, said] of [
      ["/Gallery", [NAME, /2/]],
      ["/nHomeDetail?id=lst_1", [NAME, "1 / 2"]],
    ] as const) {
      await page.goto(path);
      const picture = page.locator("main img:visible").first();
      await picture.evaluate((image: HTMLImageElement) => image.decode());
      for (const words of said) {
        const text = page
          .locator("main .text-on-brand")
          .getByText(words)
          .or(page.locator("main p.text-on-brand", { hasText: words }))
          .first();
        await text.waitFor();
        expect(await worstContrast(text), `${words} on ${path}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  }
});

import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodePicture } from "#server/pictures/encode.ts";
import { PictureProcess } from "#server/pictures/picture-process.ts";
import { NoPicture } from "#shared/picture.ts";
import { drawing } from "../../support/pictures.ts";

const plan = { widths: [64], formats: ["webp"], square: true } as const;
const colour = { r: 1, g: 2, b: 3 };
const large = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: colour } });

const childrenOfThis = () =>
  readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

describe("a picture's process", () => {
  it.each([
    ["memory", { residentBytes: 1_000_000, timeMs: 20_000 }],
    ["time", { residentBytes: 1_000_000_000, timeMs: 1 }],
  ])("is killed when it takes too much %s, and the next picture has another", async (_what, limits) => {
    const bytes = await drawing(600, 600).avif().toBuffer();
    const pictures = new PictureProcess(limits);
    for (let i = 0; i < 2; i++) await expect(pictures.ask({ do: "encode", bytes, plan })).rejects.toThrow(NoPicture);
  });

  it.runIf(process.platform === "linux")(
    "is not killed for the time that a busy machine keeps it waiting",
    async () => {
      const bytes = await drawing(70, 70).png().toBuffer();
      const pictures = new PictureProcess({ residentBytes: 1_000_000_000, timeMs: 5_000 });
      const ask = () => pictures.ask({ do: "encode", bytes, plan });
      const others = childrenOfThis();
      await ask();
      const pid = childrenOfThis().find((one) => !others.includes(one));
      process.kill(pid!, "SIGSTOP");
      setTimeout(() => process.kill(pid!, "SIGCONT"), 5_500);
      await expect(ask()).resolves.toMatchObject({ widths: [64] });
    },
  );

  it("answers one after the other, whether they are pictures or not", async () => {
    const bytes = await drawing(70, 70).png().toBuffer();
    const asked = [bytes, Buffer.from("nothing"), bytes].map((one) => encodePicture(one, plan));
    const answers = await Promise.allSettled(asked);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });
});

describe("a bomb", () => {
  it.each([
    // At least effort: this many pixels take seconds otherwise.
    ["avif", { effort: 0 }],
    ["png", {}],
    ["gif", { effort: 1 }],
  ] as const)("of 16 million pixels in a small %s is refused", async (format, options) => {
    const bytes = await large(4_000).toFormat(format, options).toBuffer();
    await expect(encodePicture(bytes, plan)).rejects.toThrow("too many pixels");
  });

  it("of 25 million pixels is refused in any format", async () => {
    await expect(encodePicture(await large(5_000).webp().toBuffer(), plan)).rejects.toThrow(NoPicture);
  });
});

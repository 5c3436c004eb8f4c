// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Picture } from "#client/components/Picture.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

const SRC = "/files/pictures/ab-640.webp";
const SHAPE = { widths: [320, 640, 1080], ratio: 1.5, blur: "J0kGJQy8Wq+EVmdXlmiIZ0iAiwOo" };

const picture = (over: Partial<Parameters<typeof Picture>[0]> = {}) => (
  <Picture src={SRC} shape={SHAPE} alt="Mia" sizes="112px" {...over} />
);
const image = () => screen.getByRole<HTMLImageElement>("img", { name: "Mia" });

describe("a picture", () => {
  it("comes in the width that its place needs, as AVIF where supported and as WebP elsewhere", () => {
    const { container } = show(picture());
    const source = container.querySelector("source")!;
    expect([source.type, source.sizes]).toEqual(["image/avif", "112px"]);
    const srcset = (format: string) =>
      [320, 640, 1080].map((width) => `/files/pictures/ab-${width}.${format} ${width}w`).join(", ");
    expect(source.srcset).toBe(srcset("avif"));
    expect([image().srcset, image().sizes, image().src]).toEqual([
      srcset("webp"),
      "112px",
      expect.stringContaining(SRC),
    ]);
  });

  it("reserves its place, and shows a blurred preview before it is loaded, once the page has time for it", async () => {
    const { change } = show(picture());
    expect(Number.parseFloat(image().style.aspectRatio)).toBeCloseTo(1 / 1.5);
    await waitFor(() => expect(image().style.backgroundImage).toMatch(/^url\("?data:image\/png;base64,/));
    change(picture({ shape: { ...SHAPE, blur: "" } }));
    expect(image().style.backgroundImage).toBe("");
  });

  it("is loaded when it comes near, or at once when it is the first", () => {
    const { change } = show(picture());
    expect(image().getAttribute("loading")).toBe("lazy");
    change(picture({ isFirst: true }));
    expect([image().getAttribute("loading"), image().getAttribute("fetchpriority")]).toEqual(["eager", "high"]);
  });

  it("that fails to load shows its name, its place and the preview, and is retried when the browser is online", async () => {
    show(picture());
    fireEvent.error(image());
    expect(image().tagName).toBe("SPAN");
    await waitFor(() => expect(image().style.backgroundImage).toContain("data:image/png"));
    expect(Number.parseFloat(image().style.aspectRatio)).toBeCloseTo(1 / 1.5);
    act(() => void window.dispatchEvent(new Event("online")));
    expect(image().tagName).toBe("IMG");
  });

  it("that failed does not affect the next one in its place", () => {
    const { change } = show(picture());
    fireEvent.error(image());
    change(picture({ src: "/files/pictures/cd-640.webp" }));
    expect(image().tagName).toBe("IMG");
  });

  it("without a source is an icon in its place", () => {
    const { container } = show(picture({ src: "", shape: null }));
    expect(image().tagName).toBe("SPAN");
    expect(container.querySelector("svg")).toBeTruthy();
  });

  it("with a caption beside it is hidden from screen readers", () => {
    const { change } = show(picture({ alt: "" }));
    expect(screen.queryByRole("img")).toBeNull();
    change(picture({ alt: "", src: "", shape: null }));
    expect(screen.queryByRole("img")).toBeNull();
  });
});

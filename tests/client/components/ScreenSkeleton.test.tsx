// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { ScreenSkeleton } from "#client/components/ScreenSkeleton.tsx";

const PAGE = readFileSync(join(import.meta.dirname, "../../../client/index.html"), "utf8");

test("what the page shows before the app is there is the placeholder of a screen", () => {
  const page = new DOMParser().parseFromString(PAGE.replaceAll(/>\s+</g, "><"), "text/html");
  const { container } = render(<ScreenSkeleton />);
  const [shown, made] = [page.getElementById("root")!.firstElementChild!, container.firstElementChild!];
  expect(made.querySelector("img")).not.toBeNull();
  expect(shown.isEqualNode(made)).toBe(true);
});

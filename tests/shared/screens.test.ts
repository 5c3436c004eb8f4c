import { matchRoutes } from "react-router";
import { describe, expect, it } from "vitest";
import { isScreen, SCREENS } from "#shared/screens.ts";

const routes = ["/", ...SCREENS].map((path) => ({ path }));
const variants = (path: string) => [
  path,
  path.toUpperCase(),
  path.toLowerCase(),
  `${path}/`,
  `${path}//`,
  `/${path}`,
  `${path}/more`,
  `${path}s`,
  `${path}%2F`,
  `${path}%20`,
  path.replace(/^\/(.)/, (_all, first: string) => `/%${first.charCodeAt(0).toString(16)}`),
];

describe("the server and the app's router", () => {
  it("know the same addresses", () => {
    const paths = [
      ...routes.flatMap(({ path }) => variants(path)),
      "/nowhere",
      "/__proto__",
      "/constructor",
      "/ſetting",
    ];
    const differing = paths.filter((path) => isScreen(path) !== (matchRoutes(routes, path) !== null));
    expect(differing).toEqual([]);
  });

  it("match no address that cannot be decoded", () => {
    expect(isScreen("/%ff")).toBe(false);
  });
});

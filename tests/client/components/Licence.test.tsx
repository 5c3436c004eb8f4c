// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { LicenceLine, LicenceMissing } from "#client/components/Licence.tsx";
import { setStage, show, type Site } from "../../support/Stage.tsx";

setStage();

/** A site's setup: points or money, with a licence or without. */
const HOUSES: [site: Site, isMissing: boolean, isNamed: boolean][] = [
  [{ unit: "point", licence: "" }, false, false],
  [{ unit: "point", licence: "No. 7" }, false, false],
  [{ unit: "EUR", licence: "" }, true, false],
  [{ unit: "EUR", licence: "No. 7" }, false, true],
];

describe("the licence", () => {
  it.each(HOUSES)("of %o is missing: %s, and named: %s", (site, isMissing, isNamed) => {
    show(
      <>
        <LicenceMissing />
        <LicenceLine />
      </>,
      { site },
    );
    expect(screen.getByRole("status").textContent !== "").toBe(isMissing);
    expect(screen.queryByText(/No\. 7/) !== null).toBe(isNamed);
  });
});

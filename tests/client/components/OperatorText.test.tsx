// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { OperatorText } from "#client/components/OperatorText.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

describe("a text that an operator wrote", () => {
  it("in another language says in which, to voices and to eyes", () => {
    const { container } = show(<OperatorText text="การบำรุงรักษา" lang="th" />);
    expect(screen.getByText("การบำรุงรักษา").getAttribute("lang")).toBe("th");
    expect(container.textContent).toContain("การบำรุงรักษา (Thai)");
  });

  it("in the reader's language says nothing", () => {
    const { container } = show(<OperatorText text="Maintenance" lang={undefined} />);
    expect([container.textContent, container.querySelector("[lang]")]).toEqual(["Maintenance/Home", null]);
  });
});

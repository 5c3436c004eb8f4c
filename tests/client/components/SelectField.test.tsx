// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { SelectField } from "#client/components/SelectField.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

const CITIES = [
  { value: "cty_1", text: "Seoul" },
  { value: "cty_2", text: "Hanoi" },
];

function Field({ error }: { error?: string }) {
  const [value, choose] = useState("");
  return (
    <SelectField
      name="city"
      label="City"
      none="All cities"
      options={CITIES}
      value={value}
      onValue={choose}
      error={error}
    />
  );
}
const field = () => screen.getByRole<HTMLSelectElement>("combobox", { name: "City" });

describe("a choice of several", () => {
  it("begins with none of them, and has the chosen value", async () => {
    const { user } = show(<Field />);
    expect(field().selectedOptions[0]?.text).toBe("All cities");
    await user.selectOptions(field(), "Hanoi");
    expect(field().value).toBe("cty_2");
    await user.selectOptions(field(), "All cities");
    expect(field().value).toBe("");
  });

  it("shows its error", () => {
    show(<Field error="Choose one" />);
    expect(field().getAttribute("aria-invalid")).toBe("true");
    expect(document.getElementById(field().getAttribute("aria-describedby")!)?.textContent).toBe("Choose one");
  });
});

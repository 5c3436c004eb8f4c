// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import type { FormEvent } from "react";
import { describe, expect, it, vi } from "vitest";
import { Button, ButtonLink } from "#client/components/Button.tsx";
import { show, setStage, whereNow } from "../../support/Stage.tsx";

setStage();

function order(isBusy: boolean) {
  const submit = vi.fn<(event: FormEvent) => void>((event) => event.preventDefault());
  const stage = show(
    <form onSubmit={submit}>
      <Button type="submit" isBusy={isBusy}>
        Place
      </Button>
    </form>,
  );
  return { ...stage, submit };
}

describe("a button", () => {
  it("acts when it is pressed, by finger or by key", async () => {
    const press = vi.fn<() => void>();
    const { user } = show(<Button onClick={press}>Go</Button>);
    await user.click(screen.getByRole("button", { name: "Go" }));
    await user.keyboard("{Enter}");
    expect(press).toHaveBeenCalledTimes(2);
  });

  it("submits no form unless it says so", async () => {
    const submit = vi.fn<(event: FormEvent) => void>((event) => event.preventDefault());
    const { user } = show(
      <form onSubmit={submit}>
        <Button>Look</Button>
      </form>,
    );
    await user.click(screen.getByRole("button", { name: "Look" }));
    expect(submit).not.toHaveBeenCalled();
  });

  it("does nothing more while it is busy, and says that it is", async () => {
    const press = vi.fn<() => void>();
    const { user } = show(
      <Button isBusy onClick={press}>
        Go
      </Button>,
    );
    const button = screen.getByRole("button", { name: "Go", busy: true });
    await user.click(button);
    expect(press).not.toHaveBeenCalled();
    expect(button.getAttribute("aria-disabled")).toBe("true");
  });

  it("keeps the focus while it is busy", async () => {
    const { user, change } = show(<Button>Go</Button>);
    await user.tab();
    change(<Button isBusy>Go</Button>);
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Go" }));
  });

  it("submits its form once, however often it is pressed", async () => {
    const idle = order(false);
    await idle.user.click(screen.getByRole("button", { name: "Place" }));
    expect(idle.submit).toHaveBeenCalledTimes(1);
    idle.unmount();
    const busy = order(true);
    await busy.user.click(screen.getByRole("button", { name: "Place" }));
    expect(busy.submit).not.toHaveBeenCalled();
  });

  it("does not say busy when it is not", () => {
    show(<Button>Go</Button>);
    expect(screen.getByRole("button").hasAttribute("aria-busy")).toBe(false);
    expect(screen.getByRole("button").hasAttribute("aria-disabled")).toBe(false);
  });
});

describe("a link that looks like a button", () => {
  it("leads to its screen", async () => {
    const { user } = show(<ButtonLink to="/Game">Play</ButtonLink>);
    await user.click(screen.getByRole("link", { name: "Play" }));
    expect(whereNow()).toBe("/Game");
  });
});

import type { CDPSession, Page } from "playwright-core";

interface Point {
  x: number;
  y: number;
}

/** One finger on the screen of a page. */
export class Touch {
  readonly #line: CDPSession;
  #at: Point = { x: 0, y: 0 };

  private constructor(line: CDPSession) {
    this.#line = line;
  }

  static of = async (page: Page): Promise<Touch> => new Touch(await page.context().newCDPSession(page));

  down = async (at: Point): Promise<void> => {
    this.#at = at;
    await this.#send("touchStart", [at]);
  };

  /** Moves by so many pixels in small steps, as fingers do. */
  by = async (x: number, y: number): Promise<void> => {
    const from = this.#at;
    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9, 1]) {
      this.#at = { x: from.x + x * part, y: from.y + y * part };
      await this.#send("touchMove", [this.#at]);
    }
  };

  up = (): Promise<void> => this.#send("touchEnd", []);

  #send = async (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]): Promise<void> => {
    await this.#line.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
}

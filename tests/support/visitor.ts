import type { Browser, BrowserContext, Page } from "playwright-core";
import type { LocaleCode } from "#shared/locales.ts";
import { faultsOf, layersInHistory, newDevice, type Visit } from "./browser.ts";
import { INVITE } from "./server-process.ts";
import { wordsIn, type Words } from "./words.ts";

export const PASSWORD = "long enough 1";
/** The number of a round. */
const ROUND = /\d{8}-\d{4}/;

/** A person with a phone: the visitor reads its screen and taps on it. */
export class Visitor {
  readonly page: Page;
  readonly words: Words;
  readonly device: BrowserContext;

  readonly #faults: string[];
  #expected: RegExp[] = [];

  private constructor(device: BrowserContext, page: Page, lang: LocaleCode) {
    this.device = device;
    this.page = page;
    this.words = wordsIn(lang);
    this.#faults = faultsOf(page);
  }

  static async come(browser: Browser, address: string, visit: Omit<Visit, "lang"> & { lang?: LocaleCode } = {}) {
    const { lang = "en_us" } = visit;
    const device = await newDevice(browser, address, { ...visit, lang });
    return new Visitor(device, await device.newPage(), lang);
  }

  button = (key: Parameters<Words["text"]>[0]) =>
    this.page.getByRole("button", { name: this.words.text(key), exact: true });

  field = (key: Parameters<Words["text"]>[0]) => this.page.getByLabel(this.words.text(key), { exact: true });

  async register(username: string): Promise<void> {
    await this.page.goto("/Register");
    await this.field("session.username").fill(username);
    await this.field("session.password").fill(PASSWORD);
    await this.field("session.code").fill(INVITE);
    await this.button("session.register").click();
    await this.page.waitForURL(/\/Home/);
  }

  /** Tops up by amount and hosted page. */
  async topUp(amount: number): Promise<void> {
    await this.page.goto("/Recharge");
    await this.payFor(amount);
  }

  /** From the screen that asks for the amount, over the receipt, to where the top-up began. */
  async payFor(amount: number): Promise<void> {
    await this.field("recharge.amount").fill(String(amount));
    await this.button("recharge.pay").click();
    await this.page.frameLocator("iframe").locator("button.pay").click();
    await this.button("channel.return").click();
    await this.page.waitForURL((url) => url.pathname !== "/Channel");
  }

  /** Opens the only game and waits until it takes bets for at least `seconds`. */
  async openTable(seconds = 3): Promise<void> {
    await this.page.goto("/Game");
    await this.page.locator('a[href*="/Lottery?"]').first().click();
    await this.page.locator("main section p").first().filter({ hasText: ROUND }).waitFor();
    await this.waitForSeconds(seconds);
  }

  /** Waits until at least so many seconds are left to bet. */
  async waitForSeconds(seconds: number): Promise<void> {
    await this.page.waitForFunction(
      (least) => {
        const left = document.querySelector('[role="timer"]')?.textContent ?? "";
        return left.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0) >= least;
      },
      seconds,
      { polling: 50 },
    );
  }

  /** Puts options, as named on the wire, into the cart, with a stake on each. */
  async choose(options: string[], stake: number): Promise<void> {
    const tiles = this.page.locator("button[aria-pressed][data-option]");
    for (const option of options) await tiles.and(this.page.locator(`[data-option="${option}"]`)).click();
    await this.field("cart.stake").fill(String(stake));
  }

  /** Bets, and returns the number of the round that the bets were taken for. */
  async bet(options: string[], stake: number): Promise<string> {
    await this.choose(options, stake);
    return this.place();
  }

  /** Places what is in the cart. */
  async place(): Promise<string> {
    // On a busy machine the round may be over by now: the cart stays for the next one.
    await this.waitForSeconds(5);
    await this.button("cart.place").click();
    const said = await this.page.getByText(this.words.like("cart.placed")).textContent();
    // The cart closes with a step back, which would take away whatever address is opened meanwhile.
    await layersInHistory(this.page, 0);
    return said!.match(ROUND)![0];
  }

  /** The number of the round on the screen. */
  async roundShown(): Promise<string | undefined> {
    return (await this.page.locator("main section p").first().textContent())?.match(ROUND)?.[0];
  }

  /** The balance on the betting screen, in whole hundredths. */
  async balance(): Promise<number> {
    const shown = (await this.page.locator("header .figures").last().textContent()) ?? "";
    const digits = Number(shown.replaceAll(/\D/g, ""));
    return /[.,]\d\d$/.test(shown) ? digits : digits * 100;
  }

  /** This test makes such a fault happen. */
  expectFault(like: RegExp): void {
    this.#expected.push(like);
  }

  /** What went wrong on the page, except what the test expects. */
  get faults(): string[] {
    return this.#faults.filter((fault) => !this.#expected.some((like) => like.test(fault)));
  }

  /** Leaves. What a handler of requests still waits for is no longer asked. */
  async close(): Promise<void> {
    for (const page of this.device.pages()) await page.unrouteAll({ behavior: "ignoreErrors" });
    await this.device.unrouteAll({ behavior: "ignoreErrors" });
    await this.device.close();
  }
}

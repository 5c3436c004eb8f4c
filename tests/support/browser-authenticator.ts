import type { CDPSession, Page } from "playwright-core";

/** Chromium's virtual authenticator: a device's own, that looks whether it is its owner, as the test says. */
export class BrowserAuthenticator {
  readonly #session: CDPSession;
  readonly #id: string;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  /** Its owner touches it whenever it asks. */
  static async on(page: Page): Promise<BrowserAuthenticator> {
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable", { enableUI: false });
    const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new BrowserAuthenticator(session, authenticatorId);
  }

  /** Whether it finds that it is its owner. */
  async verify(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", { authenticatorId: this.#id, isUserVerified });
  }

  async count(): Promise<number> {
    const { credentials } = await this.#session.send("WebAuthn.getCredentials", { authenticatorId: this.#id });
    return credentials.length;
  }
}

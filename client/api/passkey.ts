import type { CreationOptions, RequestOptions } from "#shared/contract/passkeys.ts";

/** No passkey answered: the member closed the browser's dialog, or has none there. */
export class NoPasskey extends Error {
  override name = "NoPasskey";
  /** The authenticator has a passkey of this member already, so it made none. */
  readonly isThere: boolean;
  /** Another question of this page took the place of this one. */
  readonly isReplaced: boolean;

  constructor(cause: unknown) {
    super("no passkey answered", { cause });
    this.isThere = cause instanceof Error && cause.name === "InvalidStateError";
    this.isReplaced = cause instanceof Error && "code" in cause && cause.code === "ERROR_CEREMONY_ABORTED";
  }
}

/** Whether this browser has passkeys, here: it has none on pages without TLS. */
export const hasPasskeys = (): boolean => window.isSecureContext && typeof window.PublicKeyCredential === "function";

/** Whether passkeys of this relying party answer on this page. */
export const isOurs = (rpId: string): boolean =>
  hasPasskeys() && (location.hostname === rpId || location.hostname.endsWith(`.${rpId}`));

/** Whether the browser offers passkeys in the list of a field. */
export const fillsIn = async (): Promise<boolean> =>
  hasPasskeys() &&
  "isConditionalMediationAvailable" in PublicKeyCredential &&
  (await PublicKeyCredential.isConditionalMediationAvailable());

/** Few members need it, so it comes in a chunk of its own. */
const load = () => import("@simplewebauthn/browser");

/** Asks for an answer, in the browser's dialog or, with `fill`, in the list of a field. Throws NoPasskey without one. */
export async function answer(options: RequestOptions, { fill = false } = {}): Promise<string> {
  const { startAuthentication } = await load();
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]["optionsJSON"];
  return JSON.stringify(await orNone(startAuthentication({ optionsJSON, useBrowserAutofill: fill })));
}

/** Makes a passkey, in the browser's dialog. Throws NoPasskey when none was made. */
export async function make(options: CreationOptions): Promise<string> {
  const { startRegistration } = await load();
  const optionsJSON = options as Parameters<typeof startRegistration>[0]["optionsJSON"];
  return JSON.stringify(await orNone(startRegistration({ optionsJSON })));
}

/** Withdraws the question that waits in a field's list. */
export const stopAsking = async (): Promise<void> => (await load()).WebAuthnAbortService.cancelCeremony();

const orNone = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw new NoPasskey(error);
  });

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The address of the payment page. A development server has several loopback names; a page may frame only its own
 * origin, so the address takes that one.
 */
export function payAddress(given: string, here: Pick<Location, "hostname" | "port" | "origin"> = location): string {
  const address = new URL(given, here.origin);
  const isHere = LOOPBACK.test(address.hostname) && LOOPBACK.test(here.hostname) && address.port === here.port;
  return isHere ? `${here.origin}${address.pathname}${address.search}` : address.href;
}

/** The redirect to the channel's own page, for channels that are not framed. */
export function channelAddress(given: string, here?: Parameters<typeof payAddress>[1]): string {
  return `${payAddress(given, here)}/open`;
}

/** Whether a frame shows a page of this app other than a payment page. Cross-origin pages cannot be read. */
export function hasLeftPaying(frame: HTMLIFrameElement): boolean {
  try {
    const { protocol, pathname } = frame.contentWindow!.location;
    return protocol.startsWith("http") && !pathname.startsWith("/pay/");
  } catch {
    return false;
  }
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Where the payment page is asked for. On one's own machine the server has several names, of which a page may frame
 * only the one that it came from itself.
 */
export function payAddress(told: string, here: Pick<Location, "hostname" | "port" | "origin"> = location): string {
  const address = new URL(told, here.origin);
  const isHere = LOOPBACK.test(address.hostname) && LOOPBACK.test(here.hostname) && address.port === here.port;
  return isHere ? `${here.origin}${address.pathname}${address.search}` : address.href;
}

/** The channel's own page, where ours at this address only leads to it. */
export function channelAddress(told: string, here?: Parameters<typeof payAddress>[1]): string {
  return `${payAddress(told, here)}/open`;
}

/** Whether a frame shows something of ours that is no payment page; another house's pages cannot be looked into. */
export function hasLeftPaying(frame: HTMLIFrameElement): boolean {
  try {
    const { protocol, pathname } = frame.contentWindow!.location;
    return protocol.startsWith("http") && !pathname.startsWith("/pay/");
  } catch {
    return false;
  }
}

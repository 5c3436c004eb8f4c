const REACHED = /^(https?|mailto|tel):$/;

/** An address at which somebody can be reached, as a link may carry it; null for everything else. */
export function contactAddress(told: string): string | null {
  if (!URL.canParse(told)) return null;
  const { protocol, href } = new URL(told);
  return REACHED.test(protocol) ? href : null;
}

/** Whether an address opens a page, and not another program. */
export const isPage = (address: string): boolean => /^https?:/.test(address);

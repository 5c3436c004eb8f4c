interface Weighted {
  id: string;
  probability: number;
}

/** A prize's part of the wheel, in degrees clockwise from the top: as wide as its chance. */
export interface Sector<P extends Weighted> {
  prize: P;
  place: number;
  from: number;
  to: number;
}

const FULL = 360;

/** The wheel as it is drawn: every sector is exactly as wide as its prize is likely, so that nothing looks likelier. */
export function sectorsOf<P extends Weighted>(prizes: readonly P[]): Sector<P>[] {
  const whole = prizes.reduce((sum, { probability }) => sum + probability, 0);
  let from = 0;
  return prizes.map((prize, place) => {
    const start = from;
    from += (prize.probability / whole) * FULL;
    return { prize, place, from: start, to: from };
  });
}

/** How many turns a spin takes. */
export const TURNS = 5;

/**
 * How far the wheel has been turned, in degrees clockwise, when it stands after `turns` spins with the middle of
 * this prize's sector at the top. Null when the prize is not on the wheel.
 */
export function stopAngle(sectors: readonly Sector<Weighted>[], prizeId: string, turns: number): number | null {
  const sector = sectors.find(({ prize }) => prize.id === prizeId);
  if (!sector) return null;
  return FULL * (TURNS * turns + 1) - (sector.from + sector.to) / 2;
}

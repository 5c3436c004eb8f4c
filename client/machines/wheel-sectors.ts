interface Weighted {
  id: string;
  probability: number;
}

/** A prize's sector, in degrees clockwise from the top; its width is its chance. */
export interface Sector<P extends Weighted> {
  prize: P;
  place: number;
  from: number;
  to: number;
}

const FULL = 360;

/** Divides the wheel by probability, so that no prize looks likelier than it is. */
export function sectorsOf<P extends Weighted>(prizes: readonly P[]): Sector<P>[] {
  const whole = prizes.reduce((sum, { probability }) => sum + probability, 0);
  let from = 0;
  return prizes.map((prize, place) => {
    const start = from;
    from += (prize.probability / whole) * FULL;
    return { prize, place, from: start, to: from };
  });
}

/** Full turns per spin. */
const TURNS = 5;

/**
 * The wheel's rotation after `turns` spins, in degrees clockwise, with the middle of this prize's sector at the top.
 * Null when the prize is not on the wheel.
 */
export function stopAngle(sectors: readonly Sector<Weighted>[], prizeId: string, turns: number): number | null {
  const sector = sectors.find(({ prize }) => prize.id === prizeId);
  if (!sector) return null;
  return FULL * (TURNS * turns + 1) - (sector.from + sector.to) / 2;
}

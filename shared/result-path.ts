/** The table of a game. */
export const tablePath = (key: string): string => `/Lottery?${new URLSearchParams({ key })}`;

/** Where a settled round shows what one's bets on it brought: its only bet, or, for several, the game's table. */
export const resultPath = (key: string, bets: readonly string[]): string =>
  bets.length === 1 ? `/GameRecord?id=${bets[0]}` : tablePath(key);

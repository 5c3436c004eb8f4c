/** The result of a check. `note`: it works, but an operator should know. `wrong`: the site cannot do its work. */
export interface Finding {
  level: "ok" | "note" | "wrong";
  about: string;
  says: string;
  /** The next step. */
  advice?: string;
}

export const finding = (level: Finding["level"], about: string, says: string, advice?: string): Finding => ({
  level,
  about,
  says,
  ...(advice !== undefined && { advice }),
});

/** Without letters that look like digits. */
const LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ0123456789";

/** Letters of an invite: 60 random bits, which nobody guesses. */
export const INVITE_LETTERS = 12;

/** A random secret for a person to type: each letter holds five bits. 32 letters divide 256, so each is as likely. */
export const newSecret = (random: (bytes: number) => Uint8Array, letters: number): string =>
  [...random(letters)].map((byte) => LETTERS[byte % LETTERS.length]).join("");

/** In groups of so many, as people read and type it. */
export const inGroups = (secret: string, size: number): string =>
  secret.replace(new RegExp(`.{${size}}(?=.)`, "g"), "$&-");

/** As it was made, however its owner typed it: no letter looks like another. */
export const plainSecret = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1")
    .replace(/[^A-Z0-9]/g, "");

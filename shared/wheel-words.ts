/** Words of a pair: 1 to 64 visible characters without a colon. Beside `wheel.ts`, because every screen loads the contract. */
export const WORDS = /^[\x21-\x39\x3b-\x7e]{1,64}$/;

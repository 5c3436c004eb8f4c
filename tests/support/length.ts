/** `npm run test:long` gives tests their full length; `npm test` a short one. */
export const isLong = process.env.TESTS === "long";

export const byLength = <T>(short: T, long: T): T => (isLong ? long : short);

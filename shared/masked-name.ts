/** A member's name as others see it: its first and last letter, at a fixed length. */
export const maskedName = (username: string): string => `${username.slice(0, 1)}***${username.slice(-1)}`;

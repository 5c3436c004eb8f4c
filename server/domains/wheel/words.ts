/** Words that a member may leave as they are: plain, short, without a colon. A power of two of them. */
const WORDS = [
  "amber apple autumn bamboo beach birch breeze bridge",
  "candle canvas cedar chalk cherry clay cloud clover",
  "coral cotton creek dune eagle ember feather fern",
  "field forest garden ginger glass harbor hazel hill",
  "honey island ivory jasmine lake lantern lemon lily",
  "linen lotus maple meadow melon mint moon moss",
  "north ocean olive orchid paper pearl pepper pine",
  "plum rain river sand silver snow star willow",
].flatMap((line) => line.split(" "));

const HOW_MANY = 5;

/** Random words for a member who has not chosen their own yet. */
export function randomWords(random: (bytes: number) => Uint8Array): string {
  return Array.from(random(HOW_MANY), (byte) => WORDS[byte % WORDS.length]!).join("-");
}

/** Words for a phrase: plain, short, without a colon. Their number is a power of two. */
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

const deviceRandom = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));

/** Random words for a member who has not chosen their own. They are made here: the house cannot know them beforehand. */
export const makeWords = (random: (bytes: number) => Uint8Array = deviceRandom): string =>
  Array.from(random(HOW_MANY), (byte) => WORDS[byte % WORDS.length]!).join("-");

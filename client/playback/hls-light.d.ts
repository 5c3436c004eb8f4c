/** The smaller build of the library, without features our streams do not use. */
declare module "hls.js/light" {
  export { default as Hls } from "hls.js";
}

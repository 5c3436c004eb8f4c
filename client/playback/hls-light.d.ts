/** The same library without what our streams do not have. */
declare module "hls.js/light" {
  export { default as Hls } from "hls.js";
}

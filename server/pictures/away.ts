/** No process can be started now: the machine is short of file handles, processes or memory. No picture was looked at. */
export class PicturesAway extends Error {
  override name = "PicturesAway";
}

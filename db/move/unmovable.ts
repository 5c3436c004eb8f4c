/** Why a site cannot be moved, as a sentence for the operator. */
export class Unmovable extends Error {
  override name = "Unmovable";
}

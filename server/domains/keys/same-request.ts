/** The hash of a request's input under the master key in force, and under the others. */
export interface HashedRequest {
  requestHash: string;
  /** The request may have come before, when another key was in force. */
  otherHashes?: readonly string[];
}

/** Whether a stored hash is that of this request. */
export const isSameRequest = ({ requestHash, otherHashes = [] }: HashedRequest, stored: string): boolean =>
  stored === requestHash || otherHashes.includes(stored);

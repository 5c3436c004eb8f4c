/**
 * Hashes that were met, by their first eight bytes: a million takes 16 MiB, a fifth of what a set of texts needs. Two
 * different ones are taken for the same once in 2^64 pairs.
 */
export class HashSet {
  /** Two words a hash. */
  #slots = new Uint32Array(2_048);
  #size = 0;

  /** Whether the hash was there already. It is afterwards. */
  add(hash: Uint8Array): boolean {
    if (4 * ++this.#size > this.#slots.length) this.#grow();
    const view = new DataView(hash.buffer, hash.byteOffset);
    // Zero means an empty slot.
    const isMet = insert(this.#slots, view.getUint32(0), view.getUint32(4) || 1);
    if (isMet) this.#size--;
    return isMet;
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#slots.length);
    for (let i = 0; i < this.#slots.length; i += 2)
      if (this.#slots[i + 1] !== 0) insert(larger, this.#slots[i]!, this.#slots[i + 1]!);
    this.#slots = larger;
  }
}

/** Returns whether it was there. */
function insert(slots: Uint32Array, one: number, two: number): boolean {
  const mask = slots.length / 2 - 1;
  for (let at = one & mask; ; at = (at + 1) & mask) {
    if (slots[2 * at + 1] === 0) {
      slots.set([one, two], 2 * at);
      return false;
    }
    if (slots[2 * at] === one && slots[2 * at + 1] === two) return true;
  }
}

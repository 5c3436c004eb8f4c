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

/** Returns whether it was there. The number of places is a power of two, and one of them is empty. */
function insert(slots: Uint32Array, one: number, two: number): boolean {
  const places = slots.length / 2;
  for (let i = 0; i < places; i++) {
    const at = 2 * ((one + i) & (places - 1));
    if (slots[at + 1] === 0) {
      slots.set([one, two], at);
      return false;
    }
    if (slots[at] === one && slots[at + 1] === two) return true;
  }
  throw new RangeError("the set is full");
}

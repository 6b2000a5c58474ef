/** Counts equal rows of a file of any size, by their hashes: some 30 bytes for each row, of which JavaScript's maps take three times as many. */

const FIRST_SIZE = 1 << 12

export class RowCounts {
  /** The hashes, at the first free slot from their own on. */
  private hashes = new Float64Array(FIRST_SIZE)
  private counts = new Uint32Array(FIRST_SIZE)
  private used = 0

  /** Counts a row, and returns how many with its hash came before. A hash is a whole number from 1 to 2^53-1. */
  count(hash: number): number {
    if (2 * this.used >= this.hashes.length) this.grow()
    const slot = this.slotOf(hash)
    if (this.hashes[slot] === 0) {
      this.hashes[slot] = hash
      this.used++
    }
    return this.counts[slot]!++
  }

  private slotOf(hash: number): number {
    const mask = this.hashes.length - 1
    // The low bits: `&` takes those of the remainder.
    let slot = (hash % 4_294_967_296) & mask
    while (this.hashes[slot] !== 0 && this.hashes[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  private grow(): void {
    const [hashes, counts] = [this.hashes, this.counts]
    this.hashes = new Float64Array(2 * hashes.length)
    this.counts = new Uint32Array(2 * counts.length)
    for (const [n, hash] of hashes.entries()) {
      if (hash === 0) continue
      const slot = this.slotOf(hash)
      this.hashes[slot] = hash
      this.counts[slot] = counts[n]!
    }
  }
}

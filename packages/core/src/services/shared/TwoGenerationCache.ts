/**
 * A bounded cache of two generations. An entry is added to the younger one when it is set or found. When that is full, it becomes the
 * older one, and the older one is dropped. So the entries that were used last are always found, up to the capacity, and at most those of
 * twice the capacity are in memory.
 */
export class TwoGenerationCache<Key, Value> {
  readonly #capacity: number
  readonly #costOf: (value: Value) => number
  #younger = new Map<Key, Value>()
  #older = new Map<Key, Value>()
  #cost = 0

  /** `capacity` is the total cost of the entries of a generation. An entry costs 1 where `costOf` is left out. */
  constructor(capacity: number, costOf: (value: Value) => number = () => 1) {
    this.#capacity = capacity
    this.#costOf = costOf
  }

  get(key: Key): Value | undefined {
    const recent = this.#younger.get(key)
    if (recent !== undefined) return recent
    const value = this.#older.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: Key, value: Value): void {
    const previous = this.#younger.get(key)
    if (previous !== undefined) this.#cost -= this.#costOf(previous)
    this.#cost += this.#costOf(value)
    this.#younger.set(key, value)
    if (this.#cost >= this.#capacity) this.turn()
  }

  /** Drops the older generation, and with it the entries that were not used since the last turn. */
  turn(): void {
    this.#older = this.#younger
    this.#younger = new Map()
    this.#cost = 0
  }
}

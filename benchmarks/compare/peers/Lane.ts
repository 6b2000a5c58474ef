/** Group commit for a peer: items that wait while a batch is written share the next statement. */

interface Waiting<Item, Written> {
  readonly item: Item
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
}

/** No statement grows beyond this. */
const LARGEST_BATCH = 256

/**
 * Writes items together: while one batch is being written the next collects. `write` answers in the order of the items,
 * after its commit.
 */
export const makeLane = <Item, Written>(
  write: (items: ReadonlyArray<Item>) => Promise<ReadonlyArray<Written>>
): ((item: Item) => Promise<Written>) => {
  let waiting: Array<Waiting<Item, Written>> = []
  let isWriting = false

  const drain = async () => {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.length <= LARGEST_BATCH ? waiting : waiting.slice(0, LARGEST_BATCH)
      waiting = waiting.length <= LARGEST_BATCH ? [] : waiting.slice(LARGEST_BATCH)
      try {
        const written = await write(batch.map(({ item }) => item))
        for (let at = 0; at < batch.length; at++) batch[at]!.resolve(written[at]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isWriting = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isWriting) void drain()
    })
}

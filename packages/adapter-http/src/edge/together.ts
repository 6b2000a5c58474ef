/**
 * Does the same for all that comes until `soon` calls back, one after the other. Steps that follow others of their kind find
 * their code and data in the processor's caches: where every request went all of its way by itself, a movement took a tenth
 * more of the processor. What breaks is told to `broke`, and nobody's but its own.
 */
export const together = <Item>(
  soon: (run: () => void) => void,
  act: (item: Item) => void,
  broke: (defect: unknown) => void
): ((item: Item) => void) => {
  let waiting: Array<Item> = []
  const run = () => {
    const all = waiting
    waiting = []
    for (const item of all) {
      try {
        act(item)
      } catch (defect) {
        broke(defect)
      }
    }
  }
  return (item) => {
    if (waiting.push(item) === 1) soon(run)
  }
}

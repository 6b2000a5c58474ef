/** Areas never change, so what is costly to compute from one is computed once, on first use. */

/** Makes a function that computes its value for an object once, and keeps it for as long as the object lives. */
export const keptWith = <Key extends object, A>(compute: (key: Key) => A) => {
  const kept = new WeakMap<Key, A>()
  return (key: Key): A => {
    let value = kept.get(key)
    if (value === undefined) kept.set(key, (value = compute(key)))
    return value
  }
}

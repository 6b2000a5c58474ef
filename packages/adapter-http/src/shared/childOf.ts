/** The child of a key in nested maps, which is made where there is none. */
export const childOf = <Key, Child>(parent: Map<Key, Child>, key: Key, make: () => Child): Child => {
  let child = parent.get(key)
  if (child === undefined) parent.set(key, (child = make()))
  return child
}

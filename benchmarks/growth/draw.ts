/** Random choices for the growth benchmark. */

/** One of some things, each as likely as the others. */
export const drawFrom = <A>(all: ReadonlyArray<A>): A => {
  if (all.length === 0) throw new Error("there is nothing to draw from")
  return all[Math.floor(Math.random() * all.length)]!
}

/** The same, taken out. The order of the rest changes. */
export const takeFrom = <A>(all: Array<A>): A => {
  if (all.length === 0) throw new Error("there is nothing to take from")
  const index = Math.floor(Math.random() * all.length)
  const taken = all[index]!
  all[index] = all.at(-1)!
  all.pop()
  return taken
}

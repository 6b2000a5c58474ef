/** Tells which worlds of the model are one state, although requests came in another order. */
import type { World } from "./World.ts"

const inAnyOrder = (items: Iterable<unknown>): ReadonlyArray<string> =>
  [...items].map((item) => JSON.stringify(item)).sort()

/**
 * The same text for two worlds that answer every request alike. Stays are numbered in the order of their entrances, which no answer
 * tells: here their tokens stand for them.
 */
export const stateOf = ({ marks: _, tokens, stays, keys, entrances, musters, ...world }: World): string => {
  const tokensOf = (numbers: ReadonlyArray<number>) => inAnyOrder(numbers.map((number) => tokens[number]))
  const since = (first: number) => tokensOf(stays.map((_, number) => number).slice(first))
  return JSON.stringify({
    ...world,
    stays: inAnyOrder(stays.map((stay, number) => [stay, tokens[number]])),
    keys: inAnyOrder(keys.map((key) => ({ ...key, stay: tokens[key.stay] }))),
    entrances: inAnyOrder([...entrances].map(([label, number]) => [label, tokens[number]])),
    musters: musters.map((muster) => ({ ...muster, open: tokensOf(muster.open), first: since(muster.first) })),
    accounts: inAnyOrder(world.accounts),
    namings: inAnyOrder(world.namings),
    proofs: inAnyOrder(world.proofs),
    heads: inAnyOrder(world.heads),
    changes: inAnyOrder(world.changes),
    feeds: inAnyOrder(world.feeds),
    read: inAnyOrder(world.read)
  })
}

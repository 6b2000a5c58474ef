/** Copies of a whole storage in memory, so that a test can try several ways on from one state. */
import { Context, Effect } from "effect"
import type { State } from "./State.ts"

/** A copy of maps, sets, lists and plain objects, in which one object stays one. What has a class is shared. */
const copyOf = (value: unknown, copies: Map<object, unknown>): unknown => {
  if (typeof value !== "object" || value === null) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  const keep = <A extends object>(copy: A): A => {
    copies.set(value, copy)
    return copy
  }
  if (value instanceof Map) {
    const copy = keep(new Map())
    for (const [key, item] of value) copy.set(key, copyOf(item, copies))
    return copy
  }
  if (value instanceof Set) {
    const copy = keep(new Set())
    for (const item of value) copy.add(copyOf(item, copies))
    return copy
  }
  if (Array.isArray(value)) {
    const copy = keep([] as Array<unknown>)
    for (const item of value) copy.push(copyOf(item, copies))
    return copy
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  const copy = keep({} as Record<string, unknown>)
  for (const [name, item] of Object.entries(value)) {
    // Areas are the largest values and never change.
    copy[name] = name === "trackingArea" ? item : copyOf(item, copies)
  }
  return copy
}

/** Takes copies of what a build of `layerStores` holds. */
export class Snapshots extends Context.Service<
  Snapshots,
  {
    /**
     * Copies what is stored now. The effect that it answers puts this back, as often as it is run. Only what is stored goes back:
     * readers who were woken up stay so.
     */
    readonly take: Effect.Effect<Effect.Effect<void>>
  }
>()("@sojourn/adapter-memory/Snapshots") {}

export const makeSnapshots = (state: State): Snapshots["Service"] => ({
  take: Effect.sync(() => {
    const taken = copyOf(state, new Map())
    return Effect.sync(() => void Object.assign(state, copyOf(taken, new Map())))
  })
})

/** A JSON value in a storage whose writes may be cut off, without a turn of the event loop where the storage is synchronous. */
import type { TrackerStorage } from "./types.ts"

/** A value that is there, or will be. Code that awaits promises alone stays in one turn on synchronous storage. */
type Awaitable<A> = A | PromiseLike<A>

export const isPromise = (value: unknown): value is PromiseLike<any> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === "function"

/** What stands in storage: the texts of both slots, and the value of the newest that is whole. */
export interface Stored<A> {
  readonly texts: readonly [string | null, string | null]
  readonly revision: number
  readonly value: A | undefined
}

export const isSame = (one: Stored<unknown>, other: Stored<unknown>): boolean =>
  one.texts[0] === other.texts[0] && one.texts[1] === other.texts[1]

const parse = (text: string | null): { readonly revision: number; readonly value: unknown } | undefined => {
  try {
    const read = JSON.parse(text ?? "")
    return typeof read?.revision === "number" ? read : undefined
  } catch {
    return undefined
  }
}

const combine = <A>(first: string | null, second: string | null): Stored<A> => {
  const [one, other] = [parse(first), parse(second)]
  const newest = (one?.revision ?? -1) > (other?.revision ?? -1) ? one : other
  return { texts: [first, second], revision: newest?.revision ?? 0, value: newest?.value as A | undefined }
}

/**
 * A JSON value in two slots that are written by turns: a write that is cut off damages one of them, and the value before is
 * still in the other.
 */
export const storedRecord = <A>(storage: TrackerStorage, key: string) => {
  const keys = [`${key}.0`, `${key}.1`] as const
  return {
    read: (): Awaitable<Stored<A>> => {
      const [first, second] = [storage.getItem(keys[0]), storage.getItem(keys[1])]
      return isPromise(first) || isPromise(second)
        ? Promise.all([first, second]).then(([one, other]) => combine<A>(one ?? null, other ?? null))
        : combine<A>(first ?? null, second ?? null)
    },
    /** Writes the value after the one that was read, and answers what then stands in storage. */
    write: (value: A, { texts, revision }: Stored<A>): Awaitable<Stored<A>> => {
      const next = revision + 1
      const text = JSON.stringify({ revision: next, value })
      const stored: Stored<A> =
        next % 2 === 0
          ? { texts: [text, texts[1]], revision: next, value }
          : { texts: [texts[0], text], revision: next, value }
      const writing = storage.setItem(keys[(next % 2) as 0 | 1], text)
      return isPromise(writing) ? writing.then(() => stored) : stored
    },
    remove: async () => {
      await Promise.all(keys.map(async (key) => storage.removeItem(key)))
    }
  }
}

export type StoredRecord<A> = ReturnType<typeof storedRecord<A>>

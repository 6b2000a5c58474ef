/** The exit tokens of ended stays, which `accesses` needs for 90 days, apart from the state, which is written often. */
import type { GeofencePremises } from "@sojourn/core/Geofence"
import type { Journal } from "./Journal.ts"
import { isPromise, type StoredRecord } from "./StoredRecord.ts"
import { type EndedVisit, keyOf } from "./visits.ts"

/** Tokens of stays that ended, with their ends by the device's clock, by premises. */
export type ArchivedTokens = Readonly<Record<string, ReadonlyArray<readonly [token: string, at: number]>>>

/** How long tokens are kept, in milliseconds. */
const RETENTION_MS = 90 * 86_400_000

/** How many visits end until their tokens go to the archive. */
const BATCH_SIZE = 20

/** Adds tokens that are not there, and takes away those that ended before. */
const merge = (archived: ArchivedTokens, ended: ReadonlyArray<EndedVisit>, since: number): ArchivedTokens => {
  const merged = new Map(Object.entries(archived).map(([key, tokens]) => [key, new Map(tokens)]))
  for (const { premises, token, at } of ended) {
    const key = keyOf(premises)
    merged.set(key, (merged.get(key) ?? new Map<string, number>()).set(token, at))
  }
  const young = [...merged].map(([key, tokens]) => [key, [...tokens].filter(([, at]) => at >= since)] as const)
  return Object.fromEntries(young.filter(([, tokens]) => tokens.length > 0))
}

/** Keeps the tokens of ended stays for 90 days, apart from the state, which is written often. */
export const makeArchive = (stored: StoredRecord<ArchivedTokens>, journal: Journal, now: () => number) => {
  const read = async () => {
    const reading = stored.read()
    return isPromise(reading) ? await reading : reading
  }
  const since = () => now() - RETENTION_MS

  return {
    /** Moves tokens to the archive when they are many, and drops old ones. Ended in between, it moves them again. */
    tidy: async ({ isStart }: { readonly isStart: boolean }) => {
      const endedNow = () => journal.memory().state.ended
      if (endedNow().length < (isStart ? 1 : BATCH_SIZE)) return
      await journal.sync()
      const moved = await journal.exclusively(async () => {
        const ended = endedNow()
        const found = await read()
        if (ended.length > 0) await stored.write(merge(found.value ?? {}, ended, since()), found)
        return new Set(ended.map(({ token }) => token))
      })
      await journal.submit(({ state }) => {
        const rest = state.ended.filter(({ token }) => !moved.has(token))
        const isChange = rest.length < state.ended.length
        state.ended = rest
        return isChange
      })
    },
    /** The tokens of stays at these premises. */
    tokens: async (premises: GeofencePremises): Promise<ReadonlyArray<string>> => {
      const { ended, visits } = journal.memory().state
      const merged = merge((await read()).value ?? {}, ended, since())
      const key = keyOf(premises)
      const unsettled = visits.flatMap(({ premises, token, exit }) =>
        token !== undefined && exit !== undefined && keyOf(premises) === key ? [token] : []
      )
      return [...new Set([...(merged[key] ?? []).map(([token]) => token), ...unsettled])]
    },
    remove: stored.remove
  }
}

export type Archive = ReturnType<typeof makeArchive>

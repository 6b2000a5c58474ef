/** Attacks on presence streams, for `npm run abuse`: they take all places, open at once, resume at once. */
import { setTimeout as sleep } from "node:timers/promises"
import { openReader, type Reader, type Reading } from "./streamReader.ts"

/** The most places that an organization has by default. */
const PLACES = 2_000

/** What the attacks need of the run. */
export interface World {
  readonly baseUrl: string
  readonly seconds: number
  /** Makes an organization with so many places, and answers its id. */
  readonly organization: (places: number) => Promise<number>
  /** Binds a new viewer to the organizations, and answers the token. */
  readonly viewer: (organizationIds: ReadonlyArray<number>) => Promise<string>
  /** Enters and leaves the organization, so often. */
  readonly move: (organizationId: number, times: number) => Promise<void>
}

type Attack = () => Promise<ReadonlyMap<number, number>>

/** Counts answers, and how long clients waited for their first message. */
const makeTally = () => {
  const statuses = new Map<number, number>()
  const waits: Array<number> = []
  let without = 0
  return {
    statuses,
    count: async ({ status }: Reader) => {
      const code = await status
      statuses.set(code, (statuses.get(code) ?? 0) + 1)
      return code
    },
    waited: (milliseconds: number | undefined) => {
      if (milliseconds === undefined) without++
      else waits.push(milliseconds)
    },
    print: (what: string) => {
      waits.sort((one, other) => one - other)
      const at = (share: number) => waits[Math.floor((waits.length - 1) * share)]?.toFixed(0) ?? "-"
      console.log(
        `${what}: ${waits.length} first messages, ms ${at(0)} ${at(0.5)} ${at(0.99)} ${at(1)}; ${without} without`
      )
    }
  }
}

/** Makes the attacks. They share organizations of 2,000 places. */
export const streamAttacks = (world: World): Readonly<Record<string, () => Promise<Attack>>> => {
  const { baseUrl, seconds, organization, viewer, move } = world
  const made: Array<Promise<number>> = []
  const large = (count: number) => {
    while (made.length < count) made.push(organization(PLACES))
    return Promise.all(made.slice(0, count))
  }
  const viewers = (count: number, ids: ReadonlyArray<number>) =>
    Promise.all(Array.from({ length: count }, () => viewer(ids)))
  const isOver = () => {
    const until = performance.now() + seconds * 1000
    return () => performance.now() >= until
  }

  /** So many readers open and close streams in a loop, each after the first message; every `silent`-th reads nothing. */
  const reconnecting =
    (readers: number, organizations: number, { silent = 0 } = {}) =>
    async (): Promise<Attack> => {
      const organizationIds = await large(organizations)
      const tokens = await viewers(Math.ceil(readers / 20), organizationIds)
      return async () => {
        const over = isOver()
        const tally = makeTally()
        const repeat = async (nth: number) => {
          const reading: Reading = { baseUrl, token: tokens[nth % tokens.length]!, organizationIds }
          const isSilent = silent > 0 && nth % silent === 0
          while (!over()) {
            const reader = openReader({ ...reading, isSilent })
            const status = await tally.count(reader)
            if (status === 200 && !isSilent) tally.waited(await reader.first)
            await sleep(isSilent ? 500 : 50)
            reader.close()
          }
        }
        await Promise.all(Array.from({ length: readers }, (_, nth) => repeat(nth)))
        tally.print(`${readers} readers of ${organizations}`)
        return tally.statuses
      }
    }

  return {
    "one viewer opens 2,000 streams and reads nothing": async () => {
      const [attacked, other] = [await organization(1), await organization(1)]
      const [attacker, honest] = [await viewer([attacked]), await viewer([other])]
      return async () => {
        const tally = makeTally()
        const readers: Array<Reader> = []
        const over = isOver()
        while (!over()) {
          const opened = Array.from({ length: 100 }, () =>
            openReader({ baseUrl, token: attacker, organizationIds: [attacked], isSilent: true })
          )
          readers.push(...opened)
          await Promise.all(opened.map(tally.count))
          if (readers.length > 2_500) for (const { close } of readers.splice(0, 500)) close()
        }
        const stream = openReader({ baseUrl, token: honest, organizationIds: [other] })
        console.log(`another organization: ${await stream.status}, first message ${await stream.first}`)
        for (const { close } of [...readers, stream]) close()
        return tally.statuses
      }
    },
    "100 viewers of one organization open 20 streams each and read nothing": async () => {
      const [attacked, other] = [await organization(1), await organization(1)]
      const [tokens, honest] = [await viewers(100, [attacked]), await viewer([other])]
      return async () => {
        const tally = makeTally()
        const readers: Array<Reader> = []
        for (let nth = 0; nth < 20; nth++) {
          const opened = tokens.map((token) =>
            openReader({ baseUrl, token, organizationIds: [attacked], isSilent: true })
          )
          readers.push(...opened)
          await Promise.all(opened.map(tally.count))
        }
        const began = performance.now()
        for (let attempt = 1; ; attempt++) {
          const stream = openReader({ baseUrl, token: honest, organizationIds: [other] })
          const status = await stream.status
          if (status === 200 || performance.now() - began > 10_000) {
            const took = (performance.now() - began).toFixed(0)
            console.log(`another organization: ${status} after ${attempt} attempts, ${took} ms`)
            stream.close()
            break
          }
          await sleep(1_000)
        }
        for (const { close } of readers) close()
        return tally.statuses
      }
    },
    "100 readers of 5 organizations of 2,000 places reconnect": reconnecting(100, 5),
    "300 readers of 20 organizations of 2,000 places reconnect": reconnecting(300, 20),
    "300 readers of 20 organizations, of which every third reads nothing": reconnecting(300, 20, { silent: 3 }),
    "32 callers resume 900 events": async () => {
      const id = await organization(1)
      const tokens = await viewers(32, [id])
      const witness = openReader({ baseUrl, token: tokens[0]!, organizationIds: [id] })
      await witness.first
      const from = witness.lastId()
      await move(id, 950)
      witness.close()
      const ids = Array.from({ length: 32 }, (_, nth) =>
        from.replace(/:(\d+)$/, (_all, version) => `:${Number(version) + nth}`)
      )
      return async () => {
        const over = isOver()
        const tally = makeTally()
        const repeat = async (token: string, lastEventId: string) => {
          while (!over()) {
            const reader = openReader({ baseUrl, token, organizationIds: [id], lastEventId })
            await tally.count(reader)
            tally.waited(await reader.first)
            await reader.messages(900)
            reader.close()
          }
        }
        await Promise.all(tokens.map((token, nth) => repeat(token, ids[nth]!)))
        tally.print("32 callers resume")
        return tally.statuses
      }
    },
    "2,000 honest streams on one organization of 2,000 places": async () => {
      const [id] = await large(1)
      const tokens = await viewers(100, [id!])
      return async () => {
        const tally = makeTally()
        const readers = Array.from({ length: 2_000 }, (_, nth) =>
          openReader({ baseUrl, token: tokens[nth % 100]!, organizationIds: [id!] })
        )
        await Promise.all(
          readers.map(async (reader) => {
            await tally.count(reader)
            tally.waited(await reader.first)
          })
        )
        tally.print("2,000 streams")
        await sleep(2_000)
        for (const { close } of readers) close()
        return tally.statuses
      }
    }
  }
}

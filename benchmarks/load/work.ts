/** The requests of a job, one after the other, and whether their answers are right. */
import type { Answer } from "./Answers.ts"
import type { Job } from "./Job.ts"
import { exitTokenIn, movementsOf, readingOf, readOf } from "./requests.ts"

/** A request and its right answer. */
export interface Exchange {
  readonly bytes: Buffer | string
  readonly status: number
  /** Takes the body of the right answer. Returns the request that has to follow on the same connection. */
  readonly answered?: (body: string) => Exchange | undefined
  /** The request was refused for now. */
  readonly refused?: () => void
}

/** Counts of acknowledged movements, and of the people that acknowledged readings counted inside. */
export interface Counts {
  entrances: number
  exits: number
  counted: number
}

/** Makes the next request of a job. */
export type Next = () => Exchange

const pairs = (users: ReadonlyArray<ReturnType<typeof movementsOf>>, counts: Counts): Next => {
  let nth = 0
  return () => {
    const user = users[nth++ % users.length]!
    const exit = (exitToken: string): Exchange => ({
      bytes: user.exit(exitToken),
      status: 202,
      answered: () => void counts.exits++
    })
    return {
      bytes: user.entrance,
      status: 201,
      answered: (body) => {
        counts.entrances++
        return exit(exitTokenIn(body))
      }
    }
  }
}

const arrivals = (users: ReadonlyArray<ReturnType<typeof movementsOf>>, counts: Counts): Next => {
  const inside: Array<{ readonly user: (typeof users)[number]; readonly exitToken: string }> = []
  let nth = 0
  return () => {
    const leaving = nth % 2 === 1 ? inside.shift() : undefined
    const user = leaving?.user ?? users[nth % users.length]!
    nth++
    return leaving === undefined
      ? {
          bytes: user.entrance,
          status: 201,
          answered: (body) => {
            counts.entrances++
            inside.push({ user, exitToken: exitTokenIn(body) })
            return undefined
          }
        }
      : {
          bytes: user.exit(leaving.exitToken),
          status: 202,
          answered: () => void counts.exits++,
          refused: () => void inside.push(leaving)
        }
  }
}

/** A reading that is acknowledged contains those of its device before it. */
const readings = (tokens: ReadonlyArray<string>, epoch: string, authority: string, counts: Counts): Next => {
  const acknowledged = tokens.map(() => 0)
  let nth = 0
  return () => {
    const device = nth % tokens.length
    const total = Math.floor(nth++ / tokens.length) + 1
    return {
      bytes: readingOf(tokens[device]!, epoch, 2 * total, total, authority),
      status: 200,
      answered: () => {
        counts.counted += Math.max(0, total - acknowledged[device]!)
        acknowledged[device] = Math.max(total, acknowledged[device]!)
        return undefined
      }
    }
  }
}

/** The requests of a job. */
export const workOf = ({ work, host, port }: Job, counts: Counts): Next => {
  const authority = `${host}:${port}`
  if (work._tag === "Reads") {
    const reads = work.reads.map(({ path, token }): Exchange => ({
      bytes: readOf(path, token, authority),
      status: 200
    }))
    let nth = 0
    return () => reads[nth++ % reads.length]!
  }
  if (work._tag === "Readings") return readings(work.tokens, work.epoch, authority, counts)
  const users = work.tokens.map((token) => movementsOf(work.organizationId, token, authority))
  return work._tag === "Pairs" ? pairs(users, counts) : arrivals(users, counts)
}

const RETRY_AFTER = /\r\nretry-after: *\d/i

/** Whether a movement or a reading was refused for now. */
export const isRefusal = ({ status, head }: Answer): boolean =>
  (status === 503 || status === 429) && RETRY_AFTER.test(head)

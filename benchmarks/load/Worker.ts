/** What a connection of the closed-loop generator sends next, and whether an answer is right. */
import type { Answer } from "./Answers.ts"
import type { Job, Work } from "./Job.ts"
import { bytesOf, exitTokenIn, hostOf, movementsOf } from "./requests.ts"

/** What one connection sends next: begins a piece of work, or goes on with the one under way. */
export interface Worker {
  /** The first request of a new piece of work. */
  readonly begin: () => Buffer
  /** Looks at an answer: the request that goes on, `done`, or what is wrong with it in words. */
  readonly answered: (answer: Answer) => { readonly next: string } | { readonly wrong: string } | "done"
}

const pairs = (job: Job, work: Extract<Work, { readonly _tag: "Pairs" }>): ReadonlyArray<Worker> => {
  const users = work.tokens.map((token) => movementsOf(work.path, work.organizationId, token, hostOf(job)))
  return Array.from({ length: job.connections }, (_, connection): Worker => {
    let nth = connection % users.length
    let isInside = false
    return {
      begin: () => {
        isInside = false
        nth = (nth + job.connections) % users.length
        return users[nth]!.entrance
      },
      answered: ({ status, body }) => {
        if (isInside) return status === 202 ? "done" : { wrong: `exit ${status}` }
        if (status !== 201) return { wrong: `entrance ${status}` }
        const token = exitTokenIn(body)
        if (token === undefined) return { wrong: "entrance without a token" }
        isInside = true
        return { next: users[nth]!.exit(token) }
      }
    }
  })
}

const requests = (job: Job, work: Extract<Work, { readonly _tag: "Requests" }>): ReadonlyArray<Worker> => {
  const all = work.requests.map((request) => bytesOf(request, hostOf(job)))
  return Array.from({ length: job.connections }, (_, connection): Worker => {
    let nth = connection
    return {
      begin: () => {
        nth = (nth + 1) % all.length
        return all[nth]!
      },
      answered: ({ status }) => (status === work.status ? "done" : { wrong: `status ${status}` })
    }
  })
}

/** A worker for each connection of a job. */
export const workersOf = (job: Job): ReadonlyArray<Worker> =>
  job.work._tag === "Pairs" ? pairs(job, job.work) : requests(job, job.work)

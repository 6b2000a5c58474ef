/** Attacks on lists of accesses, for `npm run abuse`: administrators who read all of a long history, as files and in parts. */
import http from "node:http"
import { join } from "node:path"
import type { DatabaseAddress } from "@sojourn/adapter-postgres"
import { query } from "../faults/audit.database.ts"
import type { AttackTools } from "./attackTools.ts"

/** How many accesses each caller reads on PostgreSQL, and in memory, where each comes over HTTP. */
const ACCESSES = 1_000_000
const ACCESSES_IN_MEMORY = 10_000

/** How many accesses one statement writes. */
const FILLED_AT_ONCE = 50_000

const PEOPLE = 50
const CALLERS = 16
const PART = 1_000

const DAY_MS = 86_400_000

/** What the attacks are made of. */
interface Tools extends AttackTools {
  readonly baseUrl: string
  readonly seconds: number
  /** The token of the owner of the organization. */
  readonly attacker: string
  /** The URL of the directory of the attacked organization. */
  readonly directory: string
  /** Binds a new viewer to an organization, and answers the token. */
  readonly viewer: (organizationIds: ReadonlyArray<number>) => Promise<string>
  /** The folder of the server's own PostgreSQL; undefined in memory. */
  readonly postgres: string | undefined
}

/** Accesses of the last 300 days, 20 s apart. */
const fill = async (folder: string, organizationId: number) => {
  const address: DatabaseAddress = {
    path: join(folder, "data", ".s.PGSQL.5432"),
    port: 5432,
    username: "postgres",
    database: "sojourn"
  }
  for (let written = 0; written < ACCESSES; written += FILLED_AT_ONCE) {
    await query(
      address,
      `insert into stay (organization_id, place_id, id, person, entered_at, exited_at)
      select ${organizationId}, 0, nextval('stay_id'), 'person-' || n % ${PEOPLE}, entered_at, entered_at + interval '1 hour'
      from (
        select n, date_trunc('second', now()) - interval '300 days' + (n + ${written}) * interval '20 seconds' as entered_at
        from generate_series(1, ${FILLED_AT_ONCE}) n
      ) drawn`
    )
  }
}

/** Reads a body to its end or until a signal, keeps nothing of it, and answers the status and how many lines there were. */
const readLines = (url: string, token: string, signal: AbortSignal) =>
  new Promise<{ readonly status: number; readonly lines: number }>((resolve) => {
    let status = 0
    let lines = 0
    const done = () => resolve({ status, lines })
    const headers = { authorization: `Bearer ${token}`, accept: "text/csv" }
    http
      .get(url, { headers, signal, agent: false }, (response) => {
        status = response.statusCode ?? 0
        response.on("data", (chunk: Buffer) => {
          for (const byte of chunk) if (byte === 10) lines++
        })
        response.on("error", () => {}).on("close", done)
      })
      .on("error", done)
  })

/** The attacks on lists of accesses, by their names. */
export const windowAttacks = (tools: Tools) => {
  const { baseUrl, seconds, attacker, directory, organization, viewer, user, send, postgres } = tools

  /** People who come and leave over HTTP. */
  const live = async (organizationId: number) => {
    const ask = async (json: object, path: string, token: string, wanted: number) => {
      const { status, json: answer } = await send({ token, method: "POST", path, json })
      if (status !== wanted) throw new Error(`${path} answered ${status}`)
      return answer
    }
    let missing = ACCESSES_IN_MEMORY
    const comes = async (_: unknown, nth: number) => {
      const person = `person-${nth}`
      const token = await user(person)
      await ask({ organizationId, username: person, password: "word" }, "/authenticationserver/link", token, 201)
      const path = "/movement/track/organization"
      while (missing-- > 0) {
        const { exitToken } = await ask({ organizationId, movementType: 1 }, path, token, 201)
        await ask({ organizationId, movementType: -1, exitToken }, path, token, 202)
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, comes))
  }

  const prepare = async () => {
    const id = await organization({ trackingMode: "authenticated", authenticationServerURL: directory })
    await (postgres === undefined ? live(id) : fill(postgres, id))
    const [from, to] = [-301, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString())
    return {
      path: `/record/organization/${id}/access?from=${from}&to=${to}`,
      tokens: await Promise.all(Array.from({ length: CALLERS }, () => viewer([id])))
    }
  }
  let prepared: ReturnType<typeof prepare> | undefined
  const history = () => (prepared ??= prepare())

  /** So many callers read until the time is over, each what `read` reads, and it is told how much. */
  const reading =
    (
      read: (
        path: string,
        token: string,
        signal: AbortSignal
      ) => Promise<{ readonly status: number; readonly rows: number }>
    ) =>
    async () => {
      const { path, tokens } = await history()
      return async () => {
        const signal = AbortSignal.timeout(seconds * 1000)
        const statuses = new Map<number, number>()
        const rows = await Promise.all(
          tokens.map(async (token) => {
            let all = 0
            while (!signal.aborted) {
              const { status, rows } = await read(path, token, signal)
              statuses.set(status, (statuses.get(status) ?? 0) + 1)
              all += rows
            }
            return all
          })
        )
        const total = rows.reduce((sum, count) => sum + count, 0)
        console.log(`${total} accesses in ${seconds} s; a caller ${Math.min(...rows)} to ${Math.max(...rows)}`)
        return statuses
      }
    }

  const accesses = postgres === undefined ? ACCESSES_IN_MEMORY : ACCESSES
  return {
    [`${CALLERS} callers read ${accesses} accesses each as CSV`]: reading(async (path, token, signal) => {
      const { status, lines } = await readLines(baseUrl + path, token, signal)
      return { status, rows: lines }
    }),
    [`${CALLERS} callers read ${accesses} accesses each in parts`]: reading(async (path, token) => {
      const { status, json } = await send({ token, method: "GET", path: `${path}&limit=${PART}` })
      return { status, rows: json.accesses.length }
    }),
    [`one caller reads ${CALLERS} files of accesses and nothing of them`]: async () => {
      const { path } = await history()
      return async () => {
        const signal = AbortSignal.timeout(seconds * 1000)
        const headers = { authorization: `Bearer ${attacker}`, accept: "text/csv" }
        const silent = () =>
          new Promise<number>((resolve) => {
            http
              .get(baseUrl + path, { headers, signal, agent: false }, (response) => {
                response.on("error", () => {}).on("close", () => resolve(response.statusCode ?? 0))
              })
              .on("error", () => resolve(0))
          })
        const statuses = await Promise.all(Array.from({ length: CALLERS }, silent))
        return new Map([...new Set(statuses)].map((one) => [one, statuses.filter((status) => status === one).length]))
      }
    }
  }
}

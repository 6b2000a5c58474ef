/** Scans tables, answers, metrics and logs of a running service for the marks of people. */
import type { Bearer } from "../callers.ts"
import { want } from "../fixtures.ts"
import type { Ground } from "./ground.ts"
import { type Found, marksIn } from "./marks.ts"
import type { Country } from "./people.ts"

/** Everything that can be read from the service, by the name of its source. */
export type Scan = ReadonlyMap<string, Found>

/** The rows of every table as text, and the planner's statistics with their sample values. */
const tables = async ({ rows }: Ground): Promise<ReadonlyArray<readonly [string, string]>> => {
  // The partitions of the audit are named by months: the table has their rows.
  const names = await rows(
    "select tablename::text as name from pg_tables where schemaname = 'sojourn' and tablename !~ '^audit_entry_' order by 1"
  )
  const found: Array<readonly [string, string]> = []
  for (const { name } of names) {
    const lines = await rows(`select t::text as line from "${name}" t`)
    found.push([`table ${name}`, lines.map(({ line }) => line).join("\n")])
  }
  await rows("analyze")
  const statistics = await rows("select s::text as line from pg_stats s where schemaname = 'sojourn'")
  return [...found, ["statistics of PostgreSQL", statistics.map(({ line }) => line).join("\n")]]
}

/** The answers that remaining callers may read, and the exports about all people. */
const documents = async (ground: Ground, { towns }: Country, subjects: ReadonlyArray<object>) => {
  const { exportData, operator, owner } = ground
  const get = async (who: Bearer, path: string) => {
    const answer = await ground.get(who, path)
    return answer.status === 204 ? "" : want(answer, 200).text
  }
  const read: Array<string> = [await get(operator, "/operator/deletionrequest")]
  for (const { id, place } of towns) {
    read.push(await get(owner, `/administrator/organization/${id}`))
    read.push(await get(owner, `/report/place/${place}`))
    read.push(await get(operator, `/operator/organization/${id}/erasure`))
  }
  const exported: Array<string> = []
  for (const json of [...subjects, { administratorId: owner.id }]) {
    // An export repeats the requested subject.
    const { subject: _, ...document } = want(await exportData(json), 200).json
    exported.push(JSON.stringify(document))
  }
  return { read: read.join("\n"), exported: exported.join("\n") }
}

/** Scans all sources for the names of people. */
export const scan = async (ground: Ground, country: Country, subjects: ReadonlyArray<object>): Promise<Scan> => {
  const { read, exported } = await documents(ground, country, subjects)
  const texts = [
    ...(await tables(ground)),
    ["answers to others", read],
    ["exports", exported],
    ["metrics", await ground.metrics()],
    ["the server's log", ground.serverLog()],
    ["the log of PostgreSQL", ground.postgresLog()]
  ] as const
  return new Map(texts.map(([name, text]) => [name, marksIn(text)]))
}

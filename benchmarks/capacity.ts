/** `npm run capacity`: prints the two tables of docs/capacity.md: what was measured, and the plan that follows from it. */
import { fileURLToPath } from "node:url"
import { markdown } from "./shared/statistics.ts"

/** What was measured, with the conditions. Times are in microseconds of one processor. */
const MEASURED = {
  server: [52, "us", "a movement in a server, from its head to its answer: one server, 256 connections"],
  postgres: [20, "us", "a movement in PostgreSQL: anonymous, batches of 256, 200 organizations (14 to 23)"],
  postgresAuthenticated: [45, "us", "the same of a person whom an authentication server knows (37 to 47)"],
  wal: [436, "bytes", "WAL of a movement between checkpoints; 1,069 right after one"],
  publishing: [180, "us", "an event in PostgreSQL, 800 published at once (147 to 198)"],
  publishingServer: [45, "us", "the same in the server (33 to 45)"],
  publishingWal: [549, "bytes", "WAL of an event"],
  delivery: [14, "us", "an event to one subscriber, in the server"],
  openStay: [205, "bytes", "an open stay, with indexes"],
  closedStay: [154, "bytes", "a closed stay, with indexes"],
  event: [162, "bytes", "a stored event, with indexes"]
} as const satisfies Record<string, readonly [value: number, unit: string, of: string]>

/** Figures that were not measured: widths of columns, and prices made up for this plan in November 2026. */
const ASSUMED = {
  /** How much of a processor is used at the peak, and the average of a month in relation to the peak. */
  utilization: 0.6,
  average: 0.25,
  /** Premises of an organization: its places and itself. All have as many movements. */
  premises: 10,
  minuteOfHistory: 177,
  /** An event as a message of a stream, and what HTTP, TLS and TCP add. */
  message: 320,
  /** Days that accesses are kept, and the archive of the WAL. Events and minutes are kept as by default. */
  accessDays: 30,
  archiveDays: 2,
  eventDays: 7,
  minuteDays: 90,
  /** The most WAL of one primary, in bytes a second. */
  walOfPrimary: 100e6,
  /** Dollars a month: a processor with 4 GB, a terabyte of disk or archive, a terabyte sent. */
  processor: 30,
  diskTerabyte: 100,
  archiveTerabyte: 20,
  sentTerabyte: 50
}

const TARGET = { movements: 1_000_000, inside: 10_000_000, organizations: 100_000, subscribers: 1_000_000 }

/** The publishing intervals of the plan, in seconds. */
const INTERVALS = [1, 10, 60]

const DAY = 86_400

const cost = (of: keyof typeof MEASURED): number => MEASURED[of][0]

/** Events a second of all premises: one for each interval in which one of them had a movement, as they come by chance. */
const eventsAt = (movements: number, interval: number): number => {
  const premises = TARGET.organizations * ASSUMED.premises
  return (premises * (1 - Math.exp((-movements / premises) * interval))) / interval
}

/** What the target takes with events published at intervals of so many seconds. */
const planFor = (interval: number) => {
  const { movements, inside, organizations, subscribers } = TARGET
  const { average, utilization } = ASSUMED
  const events = eventsAt(movements, interval)
  const averageEvents = eventsAt(movements * average, interval)
  const deliveries = (subscribers * events) / organizations
  const processors = (rate: number, us: number) => (rate * us) / 1e6 / utilization
  const moving = processors(movements, cost("server")) + processors(events, cost("publishingServer"))
  const database = processors(movements, cost("postgres")) + processors(events, cost("publishing"))
  const streams = processors(deliveries, cost("delivery"))
  const wal = movements * cost("wal") + events * cost("publishingWal")
  const averageWal = movements * average * cost("wal") + averageEvents * cost("publishingWal")
  const accesses = ((movements * average) / 2) * DAY * ASSUMED.accessDays * cost("closedStay")
  const kept = averageEvents * DAY * ASSUMED.eventDays * cost("event")
  const minutes = organizations * ASSUMED.premises * 24 * 60 * ASSUMED.minuteDays * ASSUMED.minuteOfHistory
  const disk = inside * cost("openStay") + accesses + kept + minutes
  const archive = averageWal * DAY * ASSUMED.archiveDays
  const sent = ((subscribers * averageEvents) / organizations) * ASSUMED.message * 30 * DAY
  const dollars = {
    // A standby has the processors and the disk of its primary.
    processors: (2 * database + moving + streams) * ASSUMED.processor,
    disks: (2 * disk * ASSUMED.diskTerabyte + archive * ASSUMED.archiveTerabyte) / 1e12,
    sent: (sent * ASSUMED.sentTerabyte) / 1e12
  }
  const sentAtPeak = deliveries * ASSUMED.message
  const primaries = Math.ceil(wal / ASSUMED.walOfPrimary)
  return {
    accesses,
    archive,
    database,
    deliveries,
    dollars,
    events,
    kept,
    minutes,
    moving,
    primaries,
    sentAtPeak,
    streams,
    wal
  }
}

const integer = (value: number) => Math.round(value).toLocaleString("en")
const short = (value: number) => (value < 10 ? value.toFixed(1) : integer(value))
const terabytes = (bytes: number) => `${short(bytes / 1e12)} TB`
const megabytes = (bytes: number) => `${integer(bytes / 1e6)} MB/s`
const thousands = (value: number) => `${short(value / 1_000)}k`

const tableOfCosts = (): string =>
  markdown([
    ["measured", "cost"],
    ...Object.values(MEASURED).map(([value, unit, of]) => [of, `${integer(value)} ${unit}`])
  ])

/** The plan: a column for each publishing interval. */
const tableOfPlan = (): string => {
  const plans = INTERVALS.map(planFor)
  const row = (name: string, of: (plan: (typeof plans)[number]) => string) => [name, ...plans.map(of)]
  return markdown([
    ["events of premises every", ...INTERVALS.map((interval) => `${interval} s`)],
    row("processors of servers: movements, publishing", ({ moving }) => integer(moving)),
    row("processors of PostgreSQL, and as many of standbys", ({ database }) => integer(database)),
    row("WAL at the peak, and to the standbys", ({ wal }) => megabytes(wal)),
    row("primaries of at most 100 MB/s of WAL", ({ primaries }) => integer(primaries)),
    row("events a second", ({ events }) => integer(events)),
    row("deliveries a second", ({ deliveries }) => integer(deliveries)),
    row("processors of streams", ({ streams }) => integer(streams)),
    row("sent to subscribers at the peak", ({ sentAtPeak }) => megabytes(sentAtPeak)),
    row("disk: accesses of 30 days", ({ accesses }) => terabytes(accesses)),
    row("events of 7 days", ({ kept }) => terabytes(kept)),
    row("minutes of 90 days", ({ minutes }) => terabytes(minutes)),
    row("archive of the WAL of 2 days", ({ archive }) => terabytes(archive)),
    row("dollars a month: processors", ({ dollars }) => thousands(dollars.processors)),
    row("disks twice, archive", ({ dollars }) => thousands(dollars.disks)),
    row("sent", ({ dollars }) => thousands(dollars.sent)),
    row("all", ({ dollars }) => thousands(dollars.processors + dollars.disks + dollars.sent))
  ])
}

/** The tables by the name that stands before them in docs/capacity.md. */
export const TABLES = { costs: tableOfCosts, plan: tableOfPlan }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const table of Object.values(TABLES)) console.log(`${table()}\n`)
}

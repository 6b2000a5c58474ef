/** The plan for a large service: what it needs and costs, from measured figures, the simulation and stated assumptions. */
import { markdown } from "../shared/statistics.ts"
import { FACTS } from "./costs.ts"
import { laneCeiling } from "./machines.ts"
import type { Simulated } from "./simulate.ts"

export const TARGET = { movements: 1_000_000, inside: 10_000_000, organizations: 100_000, subscribers: 1_000_000 }

/** Assumptions of the plan. None was measured. */
export const ASSUMED = {
  /** How much of a processor or lane is used at the peak. */
  utilization: 0.6,
  /** The average of a month, in relation to the peak. */
  average: 0.25,
  /** Premises of an organization: its places and itself. All have as many movements. */
  premises: 10,
  /** Days that accesses are kept, and the archive of the WAL. Events and minutes are kept as by default. */
  accessDays: 30,
  archiveDays: 2,
  eventDays: 7,
  minuteDays: 90,
  /** The most WAL of one primary, in bytes a second. */
  walOfPrimary: 100e6,
  /** Prices a month in dollars, made up for this plan in November 2026: a processor with 4 GB, a terabyte of disk or archive, sent. */
  processor: 30,
  diskTerabyte: 100,
  archiveTerabyte: 20,
  sentTerabyte: 50
}

const DAY = 86_400
const MONTH = 30 * DAY

/** Events a second of all premises: one for each interval in which one of them had a movement, as they come by chance. */
const eventsAt = (movements: number, interval: number): number => {
  const { premises } = ASSUMED
  const each = movements / (TARGET.organizations * premises)
  return (TARGET.organizations * premises * (1 - Math.exp(-each * interval))) / interval
}

/** What the target takes with events published at intervals of so many seconds, on lanes with this ceiling. */
const planFor = (interval: number, lane: Simulated) => {
  const { movements, inside, organizations, subscribers } = TARGET
  const { average, utilization } = ASSUMED
  const events = eventsAt(movements, interval)
  const averageEvents = eventsAt(movements * average, interval)
  const deliveries = (subscribers * events) / organizations
  const averageDeliveries = (subscribers * averageEvents) / organizations
  const processors = (rate: number, us: number) => (rate * us) / 1e6 / utilization
  const database = processors(movements, lane.postgres) + processors(events, FACTS.publishing.postgres)
  const serving = processors(movements, lane.server) + processors(events, FACTS.publishing.node)
  const streams = processors(deliveries, FACTS.delivery)
  const wal = movements * FACTS.walOfMovement + events * FACTS.publishing.wal
  const averageWal = movements * average * FACTS.walOfMovement + averageEvents * FACTS.publishing.wal
  const rows = {
    inside: inside * FACTS.openStay,
    accesses: ((movements * average) / 2) * DAY * ASSUMED.accessDays * FACTS.closedStay,
    events: averageEvents * DAY * ASSUMED.eventDays * FACTS.event,
    minutes: organizations * ASSUMED.premises * 24 * 60 * ASSUMED.minuteDays * FACTS.minuteOfHistory
  }
  const disk = rows.inside + rows.accesses + rows.events + rows.minutes
  const archive = averageWal * DAY * ASSUMED.archiveDays
  const sent = averageDeliveries * FACTS.message * MONTH
  // A standby has the processors and the disk of its primary.
  const all = 2 * database + serving + streams
  const dollars = {
    processors: all * ASSUMED.processor,
    disk: (2 * disk * ASSUMED.diskTerabyte) / 1e12,
    archive: (archive * ASSUMED.archiveTerabyte) / 1e12,
    sent: (sent * ASSUMED.sentTerabyte) / 1e12
  }
  return {
    lanes: Math.ceil(movements / (lane.rate * utilization)),
    primaries: Math.ceil(wal / ASSUMED.walOfPrimary),
    events,
    deliveries,
    database,
    serving,
    streams,
    wal,
    requests: movements * (FACTS.request + FACTS.answer),
    rows,
    disk,
    archive,
    sentPeak: deliveries * FACTS.message,
    dollars,
    total: Object.values(dollars).reduce((sum, each) => sum + each, 0)
  }
}

/** The publishing intervals of the plan, in seconds. */
export const INTERVALS = [1, 10, 60]

const integer = (value: number) => Math.round(value).toLocaleString("en")
const digit = (value: number) => (value < 10 ? value.toFixed(1) : integer(value))
const terabytes = (bytes: number) => `${digit(bytes / 1e12)} TB`
const megabytes = (bytes: number) => `${integer(bytes / 1e6)} MB/s`
const dollarsOf = (value: number) => `${digit(value / 1_000)}k`

/** The plan as Markdown: a column for each publishing interval. */
export const tableOfPlan = (): string => {
  const lane = laneCeiling()
  const plans = INTERVALS.map((interval) => planFor(interval, lane))
  const row = (name: string, of: (plan: (typeof plans)[number]) => string) => [name, ...plans.map(of)]
  return markdown([
    ["events of premises every", ...INTERVALS.map((interval) => `${interval} s`)],
    row("lanes, each a cell", ({ lanes }) => integer(lanes)),
    row("processors of servers: movements, publishing", ({ serving }) => integer(serving)),
    row("processors of PostgreSQL, and as many of standbys", ({ database }) => integer(database)),
    row("WAL at the peak, and to the standbys", ({ wal }) => megabytes(wal)),
    row("primaries of at most 100 MB/s of WAL", ({ primaries }) => integer(primaries)),
    row("events a second", ({ events }) => integer(events)),
    row("deliveries a second", ({ deliveries }) => integer(deliveries)),
    row("processors of streams", ({ streams }) => integer(streams)),
    row("sent to subscribers at the peak", ({ sentPeak }) => megabytes(sentPeak)),
    row("requests and answers at the peak", ({ requests }) => megabytes(requests)),
    row("disk: accesses of 30 days", ({ rows }) => terabytes(rows.accesses)),
    row("events of 7 days", ({ rows }) => terabytes(rows.events)),
    row("minutes of 90 days", ({ rows }) => terabytes(rows.minutes)),
    row("archive of the WAL of 2 days", ({ archive }) => terabytes(archive)),
    row("dollars a month: processors", ({ dollars }) => dollarsOf(dollars.processors)),
    row("disks twice, archive", ({ dollars }) => dollarsOf(dollars.disk + dollars.archive)),
    row("sent", ({ dollars }) => dollarsOf(dollars.sent)),
    row("all", ({ total }) => dollarsOf(total))
  ])
}

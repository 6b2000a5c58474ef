/** The verdict and the table of the scenes. */
import { markdown } from "../shared/markdown.ts"
import type { Measured } from "./live.ts"

const MEGABYTE = 1024 * 1024

/** What is wrong with a scene: an event that was lost, told twice or told wrongly, or a movement that was lost. */
export const faultsOf = ({ scene, heard, received, inside }: Measured): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const unless = (isRight: boolean, fault: string) => void (isRight || faults.push(`${scene.name}: ${fault}`))
  unless(heard.connected === scene.subscribers, `${heard.connected} of ${scene.subscribers} subscribers had a snapshot`)
  unless(
    heard.silent === (scene.silent ?? 0),
    `${heard.silent} of ${scene.silent} connections stayed that read nothing`
  )
  unless(scene.silent === undefined || heard.refused > 0, "no stream was refused beyond those that may be")
  unless(heard.gaps === 0, `${heard.gaps} versions did not follow the one before`)
  unless(heard.wrongSums === 0, `${heard.wrongSums} times inside was not the sum of what was told`)
  unless(heard.last.length === 1, `subscribers ended at ${heard.last.length} different states`)
  unless(scene.perSecond === 0 || heard.events > 0, "no event arrived")
  unless(inside.found === inside.acknowledged, `${inside.found} open stays, ${inside.acknowledged} by the answers`)
  for (const [what, count] of Object.entries({ ...heard.errors, ...received.errors }))
    unless(false, `${count} times ${what}`)
  return faults
}

const snapshotsOf = ({ snapshots }: Measured["heard"]): string =>
  Object.entries(snapshots)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(", ")

/** Everything as a table. */
export const report = (measured: ReadonlyArray<Measured>): string => {
  const head = [
    "scene",
    "subscribers",
    "movements/s",
    "events/s for each",
    "p50 ms",
    "p99 ms",
    "longest ms",
    "snapshots"
  ]
  const rows = measured.map(({ scene, heard, received, cores, idleCores, memory }) => [
    scene.name,
    String(scene.subscribers + (scene.silent ?? 0)),
    ((1000 * received.tracked.count) / Math.max(1, received.duration)).toFixed(0),
    (heard.events / Math.max(1, scene.subscribers) / (received.duration / 1000)).toFixed(1),
    heard.p50.toFixed(0),
    heard.p99.toFixed(0),
    heard.longest.toFixed(0),
    snapshotsOf(heard),
    cores.toFixed(2),
    idleCores.toFixed(2),
    ((memory.idle - memory.before) / MEGABYTE).toFixed(0),
    ((memory.after - memory.idle) / MEGABYTE).toFixed(0)
  ])
  return markdown([[...head, "cores", "cores idle", "MB for subscribers", "MB after"], ...rows])
}

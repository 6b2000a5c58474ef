/** How many were inside of premises at each step of a day, from the rows of their history, pure. */
import type { PresenceHistoryRow } from "@sojourn/client"

/** A step of a day. */
export interface Step {
  readonly at: number
  /** How many were inside at its end. */
  readonly inside: number
  readonly most: number
}

/** The steps of a day, without a gap, from the first one in which the feed existed. */
export interface Series {
  readonly step: "minute" | "hour"
  readonly steps: ReadonlyArray<Step>
  /** The first step with the most inside; none where there is no step. */
  readonly peak: Step | undefined
}

type Row = Pick<PresenceHistoryRow, "from" | "entered" | "left" | "least" | "most">

/** How many came in, less those who left. */
export const netOf = (rows: ReadonlyArray<Pick<Row, "entered" | "left">>): number =>
  rows.reduce((net, { entered, left }) => net + entered - left, 0)

/**
 * The least and the most that can have been inside before the first row: each row's `least` and `most` bound what was inside at its
 * beginning and at its end. They are equal unless people enter and leave in every step.
 */
export const boundsBefore = (rows: ReadonlyArray<Row>): readonly [least: number, most: number] => {
  let [least, most, net] = [0, Infinity, 0]
  for (const row of rows) {
    const after = net + row.entered - row.left
    least = Math.max(least, row.least - Math.min(net, after))
    most = Math.min(most, row.most - Math.max(net, after))
    net = after
  }
  return [least, Math.max(least, most)]
}

/** The series of rows, before which so many were inside. */
export const seriesOf = (rows: ReadonlyArray<Row>, step: Series["step"], before: number): Series => {
  let inside = before
  const steps = rows.map(({ from, entered, left, most }) => {
    inside += entered - left
    return { at: Date.parse(from), inside, most }
  })
  const peak = steps.reduce<Step | undefined>((peak, one) => (one.most > (peak?.most ?? -1) ? one : peak), undefined)
  return { step, steps, peak }
}

/**
 * The number that stands for the step of a moment: who was inside at the end of a minute, the most of an hour. The minute of the peak has
 * its most, too, so that it is the day's greatest number. 0 before the feed began.
 */
export const insideAt = ({ step, steps, peak }: Series, at: number): number => {
  const found = steps.findLast((one) => one.at <= at)
  if (found === undefined) return 0
  return step === "hour" || found === peak ? found.most : found.inside
}

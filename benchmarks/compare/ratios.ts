/** Ratios to the reference by round: what the machine does besides affects both candidates of a round alike. */
import { median } from "../shared/median.ts"
import { REFERENCE } from "./Candidate.ts"
import type { Heat, Turn } from "./rounds.ts"

/** How many times the reference's something is, in the middle of the rounds, and in the rounds where it is least and most. */
export interface Ratio {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** A candidate's heat, in the middle of its rounds. */
export interface Standing extends Omit<Turn, "requests"> {
  readonly candidate: string
  /** Of the rates of the same round. */
  readonly ratio: Ratio
  /**
   * How many times as much the reference's server and database work for one request: what the ratio would be were the
   * machine theirs alone and always busy. In the middle of the rounds; none where it is not known.
   */
  readonly work: number | undefined
}

/** Whom the others of a heat are compared with. */
export const referenceOf = ({ turns }: Heat): Heat["turns"][number] =>
  turns.find(({ candidate }) => candidate === REFERENCE) ?? turns[0]!

const middle = (numbers: ReadonlyArray<number | undefined>) => {
  const known = numbers.flatMap((one) => one ?? [])
  return known.length === 0 ? undefined : median(known)
}

const workOf = ({ server, database }: Turn) =>
  server === undefined || database === undefined ? undefined : server + database

/** The result of each candidate. */
export const standings = (heat: Heat): ReadonlyArray<Standing> => {
  const reference = referenceOf(heat).turns
  return heat.turns.map(({ candidate, turns }) => {
    const ratios = turns.map(({ rate }, round) => rate / reference[round]!.rate)
    const works = turns.map((turn, round) => {
      const [own, other] = [workOf(turn), workOf(reference[round]!)]
      return own === undefined || other === undefined ? undefined : other / own
    })
    const of = (what: "rate" | "p50" | "p99" | "load" | "wal") => median(turns.map((turn) => turn[what]))
    return {
      candidate,
      ratio: { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
      work: middle(works),
      rate: of("rate"),
      p50: of("p50"),
      p99: of("p99"),
      server: middle(turns.map(({ server }) => server)),
      database: middle(turns.map(({ database }) => database)),
      load: of("load"),
      wal: of("wal")
    }
  })
}

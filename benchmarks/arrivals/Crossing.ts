/** The people behind the arrivals: which movement comes next, and who is inside after its answer. */
import { exitTokenIn, type Movements } from "../load/requests.ts"

/** One movement that is due. */
export interface Crossing {
  /** When it was due: a moment of `performance.now`. */
  readonly due: number
  readonly bytes: Buffer | string
  readonly status: number
  /** What becomes of the one who moves. */
  readonly tracked: (body: string) => void
  readonly refused: () => void
}

/** People who enter when it is their turn, and leave when another turn of theirs comes. */
export const makePeople = (users: ReadonlyArray<Movements>) => {
  const inside: Array<{ readonly user: Movements; readonly exitToken: string }> = []
  let entrances = 0
  let exits = 0
  let nth = 0
  const next = (due: number): Crossing => {
    const leaving = nth % 2 === 1 ? inside.shift() : undefined
    const user = leaving?.user ?? users[nth % users.length]!
    nth++
    if (leaving !== undefined) {
      return {
        due,
        bytes: user.exit(leaving.exitToken),
        status: 202,
        tracked: () => void exits++,
        refused: () => void inside.push(leaving)
      }
    }
    return {
      due,
      bytes: user.entrance,
      status: 201,
      tracked: (body) => {
        entrances++
        const exitToken = exitTokenIn(body)
        if (exitToken !== undefined) inside.push({ user, exitToken })
      },
      refused: () => {}
    }
  }
  return { next, counts: () => ({ entrances, exits }) }
}

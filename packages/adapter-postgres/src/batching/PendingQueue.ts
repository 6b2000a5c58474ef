import type * as Exit from "effect/Exit"
import type { AnySpan } from "effect/Tracer"
import type { Batched } from "./Batched.ts"

/** Where an item stands among those who wait. */
export interface Standing {
  /** Whose it is: when more wait than fit into a batch, every line has its share of it. */
  readonly line: unknown
  /** Of items with one turn the later waits until the earlier is answered, whatever the two do. */
  readonly turn?: string | undefined
}

/** Somebody who waits to be answered. */
export interface Waiting {
  readonly batched: Batched<unknown, unknown, unknown>
  readonly item: unknown
  readonly standing: Standing
  /** None once it was told, or nobody waits any more. */
  answer: ((exit: Exit.Exit<unknown, unknown>) => void) | undefined
  /** What came of it in the batch that it is in; none until that is known. */
  outcome: Exit.Exit<unknown, unknown> | undefined
  /** The span of a traced request, to know its batch by. */
  readonly span?: AnySpan | undefined
  /** How often it ran. */
  attempts: number
  /** How long it waits, in milliseconds, as of the last time that somebody looked. */
  waited: number
}

/** A share for every line in turns, and of each line those who came first. */
const deal = (waiting: ReadonlyArray<Waiting>, count: number): ReadonlyArray<Waiting> => {
  const lines = [...Map.groupBy(waiting, ({ standing }) => standing.line).values()]
  const dealt: Array<Waiting> = []
  for (let rank = 0; ; rank++) {
    for (const line of lines) {
      const next = line[rank]
      if (next === undefined) continue
      dealt.push(next)
      if (dealt.length === count) return dealt
    }
  }
}

/** Those who wait, in the order they came. */
export class WaitingRoom {
  private waiting: Array<Waiting> = []
  private readonly perLine = new Map<unknown, number>()
  private readonly places: number

  /** How many may wait. A single line may have half of the places. */
  constructor(places: number) {
    this.places = places
  }

  get size(): number {
    return this.waiting.length
  }

  /** Lets somebody in, if there is a place. */
  enter(newcomer: Waiting): boolean {
    const inLine = this.perLine.get(newcomer.standing.line) ?? 0
    if (this.waiting.length >= this.places || inLine * 2 >= this.places) return false
    this.perLine.set(newcomer.standing.line, inLine + 1)
    this.waiting.push(newcomer)
    return true
  }

  /** Lets back in who has to run again, before all others. */
  enterAgain(again: ReadonlyArray<Waiting>): void {
    if (again.length === 0) return
    this.waiting.unshift(...again)
    this.count()
  }

  /** Calls the next batch: at most so many, and nobody whose turn is `taken`. The turns of who is called are taken then. */
  call(most: number, taken: Set<string>): ReadonlyArray<Waiting> {
    const free: Array<Waiting> = []
    const passedOver: Array<Waiting> = []
    const turns = new Set<string>()
    for (const waiting of this.waiting) {
      const { turn } = waiting.standing
      if (waiting.answer === undefined) continue
      if (turn === undefined) free.push(waiting)
      else if (taken.has(turn) || turns.has(turn)) passedOver.push(waiting)
      else {
        turns.add(turn)
        free.push(waiting)
      }
    }
    const called = free.length <= most ? free : deal(free, most)
    if (called === free) this.waiting = passedOver
    else {
      const left = new Set(called)
      this.waiting = this.waiting.filter((waiting) => waiting.answer !== undefined && !left.has(waiting))
    }
    for (const { standing } of called) if (standing.turn !== undefined) taken.add(standing.turn)
    this.count()
    return called
  }

  /** Lets everybody grow older, and out who waited for so long. Both are milliseconds. */
  grow(elapsed: number, most: number): ReadonlyArray<Waiting> {
    for (const waiting of this.waiting) waiting.waited += elapsed
    const old = this.waiting.filter(({ waited }) => waited >= most)
    if (old.length > 0) {
      this.waiting = this.waiting.filter(({ waited }) => waited < most)
      this.count()
    }
    return old
  }

  /** Lets everybody out. */
  leave(): ReadonlyArray<Waiting> {
    const all = this.waiting
    this.waiting = []
    this.count()
    return all
  }

  private count(): void {
    this.perLine.clear()
    for (const { standing } of this.waiting) {
      this.perLine.set(standing.line, (this.perLine.get(standing.line) ?? 0) + 1)
    }
  }
}

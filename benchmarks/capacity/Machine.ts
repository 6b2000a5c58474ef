/** A discrete simulation of processes that share the processors of a machine. Times are in microseconds. */

/** Something that a process works on for a while; `run` is what it then does. */
export interface Work {
  readonly cost: number
  readonly run: () => void
}

interface Event {
  readonly at: number
  readonly nth: number
  readonly run: () => void
}

const isBefore = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.nth < other.nth)

/** Future events by time, those of one time in the order in which they were added: a binary heap. */
export class Clock {
  now = 0
  private readonly heap: Array<Event> = []
  private added = 0

  after(delay: number, run: () => void): void {
    const { heap } = this
    const event = { at: this.now + delay, nth: this.added++, run }
    let at = heap.push(event) - 1
    for (let parent = (at - 1) >> 1; at > 0 && isBefore(event, heap[parent]!); parent = (at - 1) >> 1) {
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = event
  }

  /** Runs the events until `end`. */
  runUntil(end: number): void {
    for (let next = this.take(end); next !== undefined; next = this.take(end)) {
      this.now = next.at
      next.run()
    }
    this.now = end
  }

  /** Removes and returns the first event, unless it is after `end`. */
  private take(end: number): Event | undefined {
    const { heap } = this
    const first = heap[0]
    if (first === undefined || first.at > end) return undefined
    const last = heap.pop()!
    if (heap.length === 0) return first
    let at = 0
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, last)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
    return first
  }
}

/** The processors of a machine: first come, first served, for a slice of time each. */
export class Machine {
  readonly clock: Clock
  private readonly ready: Array<Process> = []
  /** The process that each processor runs, and the one that it ran last. */
  private readonly running: Array<Process | undefined>
  private readonly last: Array<Process | undefined>
  private readonly switching: number
  private readonly slice: number

  /** `switching` is what a process costs more on a processor that ran another one before: the switch, and its cold caches. */
  constructor(clock: Clock, processors: number, { switching, slice }: { switching: number; slice: number }) {
    this.clock = clock
    this.running = Array.from({ length: processors }, () => undefined)
    this.last = [...this.running]
    this.switching = switching
    this.slice = slice
  }

  /** Runs a process that has work again: at once where a processor is free, preferably the one that it had. */
  wake(process: Process): void {
    const own = this.last.indexOf(process)
    const processor = own >= 0 && this.running[own] === undefined ? own : this.running.indexOf(undefined)
    if (processor < 0) this.ready.push(process)
    else this.run(process, processor)
  }

  /** Has a process had its slice while others wait for a processor? */
  mustYield({ since }: Process): boolean {
    return this.ready.length > 0 && this.clock.now - since >= this.slice
  }

  /** Takes the processor from a process, which still has work or not. */
  leave(process: Process, hasWork: boolean): void {
    const processor = this.running.indexOf(process)
    this.running[processor] = undefined
    if (hasWork) this.ready.push(process)
    const next = this.ready.shift()
    if (next !== undefined) this.run(next, processor)
  }

  private run(process: Process, processor: number): void {
    const isCold = this.last[processor] !== process
    this.running[processor] = process
    this.last[processor] = process
    process.resume(isCold ? this.switching : 0)
  }
}

/**
 * A process with one thread, such as an event loop. In a turn it does all work that arrived before the turn, one piece after the
 * other, and then `afterTurn`.
 */
export class Process {
  /** Its processor time so far. */
  used = 0
  /** Since when it has its processor. */
  since = 0
  private readonly machine: Machine
  private readonly afterTurn: () => ReadonlyArray<Work>
  private arrived: Array<Work> = []
  private turn: Array<Work> = []
  private nth = 0
  private isIdle = true

  constructor(machine: Machine, afterTurn: () => ReadonlyArray<Work> = () => []) {
    this.machine = machine
    this.afterTurn = afterTurn
  }

  /** Adds work that arrives from elsewhere. */
  post(cost: number, run: () => void): void {
    this.arrived.push({ cost, run })
    if (!this.isIdle) return
    this.isIdle = false
    this.machine.wake(this)
  }

  /** Adds work to the current turn, before what else it has to do. */
  next(work: ReadonlyArray<Work>): void {
    this.turn.splice(this.nth, 0, ...work)
  }

  resume(switching: number): void {
    this.since = this.machine.clock.now
    this.proceed(switching)
  }

  private proceed(switching: number): void {
    if (this.nth > 0 && this.nth === this.turn.length) {
      this.turn = [...this.afterTurn()]
      this.nth = 0
    }
    if (this.turn.length === 0 && this.arrived.length === 0) {
      this.isIdle = true
      return this.machine.leave(this, false)
    }
    if (this.machine.mustYield(this)) return this.machine.leave(this, true)
    if (this.turn.length === 0) {
      this.turn = this.arrived
      this.arrived = []
    }
    const work = this.turn[this.nth++]!
    const cost = work.cost + switching
    this.used += cost
    this.machine.clock.after(cost, () => {
      work.run()
      this.proceed(0)
    })
  }
}

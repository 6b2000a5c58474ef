/** The queue in front of password hashing: a caller who fills it must not keep others from signing in. */
import { type HashingRequester, PasswordsBusy } from "@sojourn/core"
import { Deferred, Effect } from "effect"

interface Ticket {
  readonly requester: HashingRequester
  readonly turn: Deferred.Deferred<void, PasswordsBusy>
}

/**
 * A bounded queue with limited concurrency that schedules effects fairly by key. Waiting keys are served in turns, every second time
 * a trusted one. When the queue is full, the key with most entries loses its last one to a key with fewer. So a key with
 * at most one entry is refused only while the queue is full of other keys, and a trusted key only while these are trusted too.
 */
export class FairQueue {
  readonly #concurrency: number
  readonly #capacity: number
  readonly #running = new Set<Ticket>()
  #isTrustedNext = false
  /** Keys are served in the order of their first tickets, so those of a key that was served move to the end. */
  #waiting: ReadonlyArray<Ticket> = []

  constructor(concurrency: number, capacity: number) {
    this.#concurrency = concurrency
    this.#capacity = capacity
  }

  /** Runs an effect when its key is served. Interruption while waiting removes it from the queue. */
  run<A, E, R>(requester: HashingRequester, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | PasswordsBusy, R> {
    return Effect.acquireUseRelease(
      Effect.suspend(() => this.#enter(requester)),
      ({ turn }) => Effect.andThen(Deferred.await(turn), effect),
      (ticket) => Effect.sync(() => this.#leave(ticket))
    )
  }

  #enter(requester: HashingRequester): Effect.Effect<Ticket, PasswordsBusy> {
    const ticket: Ticket = { requester, turn: Deferred.makeUnsafe() }
    if (this.#running.size < this.#concurrency) this.#start(ticket)
    else {
      if (this.#waiting.length >= this.#capacity && !this.#displace(requester)) return Effect.fail(new PasswordsBusy())
      this.#waiting = [...this.#waiting, ticket]
    }
    return Effect.succeed(ticket)
  }

  #start(ticket: Ticket): void {
    this.#running.add(ticket)
    Deferred.doneUnsafe(ticket.turn, Effect.void)
  }

  #of(key: string): ReadonlyArray<Ticket> {
    return this.#waiting.filter(({ requester }) => requester.fairnessKey === key)
  }

  #remove(ticket: Ticket): void {
    this.#waiting = this.#waiting.filter((other) => other !== ticket)
  }

  /**
   * Refuses the last ticket of the key that has most, if the requester's key will have fewer; else, for a trusted requester, the last
   * untrusted ticket. Returns whether there is room.
   */
  #displace({ fairnessKey, isTrusted }: HashingRequester): boolean {
    const queues = this.#waiting.map(({ requester }) => this.#of(requester.fairnessKey))
    const longest = queues.reduce((one, other) => (other.length > one.length ? other : one), [])
    const untrusted = isTrusted ? this.#waiting.findLast(({ requester }) => !requester.isTrusted) : undefined
    const displaced = longest.length > this.#of(fairnessKey).length + 1 ? longest.at(-1) : untrusted
    if (displaced === undefined) return false
    this.#remove(displaced)
    Deferred.doneUnsafe(displaced.turn, Effect.fail(new PasswordsBusy()))
    return true
  }

  #leave(ticket: Ticket): void {
    if (!this.#running.delete(ticket)) return this.#remove(ticket)
    const next = this.#next()
    if (next === undefined) return
    this.#remove(next)
    const own = this.#of(next.requester.fairnessKey)
    this.#waiting = [...this.#waiting.filter((other) => !own.includes(other)), ...own]
    this.#start(next)
  }

  /** The ticket to serve next: every second time a trusted one, if one waits. */
  #next(): Ticket | undefined {
    this.#isTrustedNext = !this.#isTrustedNext
    const trusted = this.#isTrustedNext ? this.#waiting.find(({ requester }) => requester.isTrusted) : undefined
    return trusted ?? this.#waiting[0]
  }
}

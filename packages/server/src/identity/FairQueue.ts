/** The queue in front of password hashing: a caller who fills it must not keep others from signing in. */
import { type HashingRequester, PasswordsBusy } from "@sojourn/core"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

interface Ticket {
  readonly requester: HashingRequester
  readonly turn: Deferred.Deferred<void, PasswordsBusy>
  isRunning: boolean
}

/**
 * A bounded queue with limited concurrency that schedules effects fairly by key. Waiting keys are served in turns, every second time
 * a trusted one. When the queue is full, the key with most entries loses its last one to a key with fewer. So a key with
 * at most one entry is refused only while the queue is full of other keys, and a trusted key only while these are trusted too.
 */
export class FairQueue {
  readonly #concurrency: number
  readonly #capacity: number
  #running = 0
  #waiting = 0
  #isTrustedNext = false
  /** Waiting tickets by key, in the order in which keys are served. No list is empty. */
  readonly #queues = new Map<string, Array<Ticket>>()

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
    const ticket: Ticket = { requester, turn: Deferred.makeUnsafe(), isRunning: false }
    if (this.#running < this.#concurrency) this.#start(ticket)
    else {
      const own = this.#queues.get(requester.fairnessKey)
      if (this.#waiting >= this.#capacity && !this.#displace((own?.length ?? 0) + 1, requester.isTrusted)) {
        return Effect.fail(new PasswordsBusy())
      }
      if (own === undefined) this.#queues.set(requester.fairnessKey, [ticket])
      else own.push(ticket)
      this.#waiting++
    }
    return Effect.succeed(ticket)
  }

  #start(ticket: Ticket): void {
    ticket.isRunning = true
    this.#running++
    Deferred.doneUnsafe(ticket.turn, Effect.void)
  }

  /**
   * Makes room by refusing the last ticket of the key that has most, if these are more than `own`; else, for a trusted key, one of an
   * untrusted key. Returns whether there is room.
   */
  #displace(own: number, isTrusted: boolean): boolean {
    let longest: Array<Ticket> = []
    let untrusted: Array<Ticket> = []
    for (const queue of this.#queues.values()) {
      if (queue.length > longest.length) longest = queue
      if (queue.at(-1)!.requester.isTrusted === false) untrusted = queue
    }
    if (longest.length <= own) longest = isTrusted ? untrusted : []
    const last = longest.at(-1)
    if (last === undefined) return false
    this.#remove(last, longest)
    Deferred.doneUnsafe(last.turn, Effect.fail(new PasswordsBusy()))
    return true
  }

  #remove(ticket: Ticket, queue: Array<Ticket>): void {
    const place = queue.indexOf(ticket)
    if (place < 0) return
    queue.splice(place, 1)
    this.#waiting--
    if (queue.length === 0) this.#queues.delete(ticket.requester.fairnessKey)
  }

  #leave(ticket: Ticket): void {
    if (!ticket.isRunning) {
      this.#remove(ticket, this.#queues.get(ticket.requester.fairnessKey) ?? [])
      return
    }
    this.#running--
    const queue = this.#nextQueue()
    const next = queue?.[0]
    if (queue === undefined || next === undefined) return
    this.#remove(next, queue)
    if (this.#queues.delete(next.requester.fairnessKey)) this.#queues.set(next.requester.fairnessKey, queue)
    this.#start(next)
  }

  /** The tickets of the key to serve next: every second time a trusted one, if one waits. */
  #nextQueue(): Array<Ticket> | undefined {
    this.#isTrustedNext = !this.#isTrustedNext
    const queues = [...this.#queues.values()]
    return (this.#isTrustedNext ? queues.find(([first]) => first!.requester.isTrusted) : undefined) ?? queues[0]
  }
}

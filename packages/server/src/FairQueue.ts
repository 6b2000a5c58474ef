import { PasswordsBusy } from "@sojourn/core"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

interface Ticket {
  readonly key: string
  readonly turn: Deferred.Deferred<void, PasswordsBusy>
  isRunning: boolean
}

/**
 * Runs a few effects at once while a few more wait, fairly by key: the keys that wait take turns, and when no more may wait, a key
 * loses its last one to a key that has fewer. So a key that never has two waiting is refused only while as many others wait as there is room.
 */
export class FairQueue {
  readonly #atOnce: number
  readonly #mostWaiting: number
  #running = 0
  #waiting = 0
  /** Those that wait, by key, in the order of their turns. No list is empty. */
  readonly #queues = new Map<string, Array<Ticket>>()

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /** Runs an effect when it has its turn. Who goes away while waiting leaves the queue. */
  run<A, E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | PasswordsBusy, R> {
    return Effect.acquireUseRelease(
      Effect.suspend(() => this.#enter(key)),
      ({ turn }) => Effect.andThen(Deferred.await(turn), effect),
      (ticket) => Effect.sync(() => this.#leave(ticket))
    )
  }

  #enter(key: string): Effect.Effect<Ticket, PasswordsBusy> {
    const ticket: Ticket = { key, turn: Deferred.makeUnsafe(), isRunning: false }
    if (this.#running < this.#atOnce) this.#start(ticket)
    else {
      const own = this.#queues.get(key)
      if (this.#waiting >= this.#mostWaiting && !this.#displace((own?.length ?? 0) + 1)) {
        return Effect.fail(new PasswordsBusy())
      }
      if (own === undefined) this.#queues.set(key, [ticket])
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

  /** Refuses the last one of the key that has most waiting, when these are more than `own`. */
  #displace(own: number): boolean {
    let longest: Array<Ticket> = []
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue
    if (longest.length <= own) return false
    const last = longest.pop()!
    this.#waiting--
    Deferred.doneUnsafe(last.turn, Effect.fail(new PasswordsBusy()))
    return true
  }

  #leave(ticket: Ticket): void {
    if (!ticket.isRunning) {
      const queue = this.#queues.get(ticket.key)
      const place = queue?.indexOf(ticket) ?? -1
      if (queue === undefined || place < 0) return
      queue.splice(place, 1)
      this.#waiting--
      if (queue.length === 0) this.#queues.delete(ticket.key)
      return
    }
    this.#running--
    const next = this.#queues.entries().next()
    if (next.done === true) return
    const [key, queue] = next.value
    this.#queues.delete(key)
    const first = queue.shift()!
    this.#waiting--
    if (queue.length > 0) this.#queues.set(key, queue)
    this.#start(first)
  }
}

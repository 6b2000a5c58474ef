import { type HashingRequester, PasswordsBusy } from "@sojourn/core"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

interface Ticket {
  readonly requester: HashingRequester
  readonly turn: Deferred.Deferred<void, PasswordsBusy>
  isRunning: boolean
}

/**
 * Runs a few effects at once while a few more wait, fairly by key: the keys that wait take turns, trusted ones among
 * them more often, and when no more may wait, a key
 * loses its last one to a key that has fewer. So a key that never has two waiting is refused only while as many others wait as there
 * is room, and a trusted one only while these are trusted as well.
 */
export class FairQueue {
  readonly #atOnce: number
  readonly #mostWaiting: number
  #running = 0
  #waiting = 0
  #isTrustedNext = false
  /** Those that wait, by key, in the order of their turns. No list is empty. */
  readonly #queues = new Map<string, Array<Ticket>>()

  constructor(atOnce: number, mostWaiting: number) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /** Runs an effect when it has its turn. Who goes away while waiting leaves the queue. */
  run<A, E, R>(requester: HashingRequester, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | PasswordsBusy, R> {
    return Effect.acquireUseRelease(
      Effect.suspend(() => this.#enter(requester)),
      ({ turn }) => Effect.andThen(Deferred.await(turn), effect),
      (ticket) => Effect.sync(() => this.#leave(ticket))
    )
  }

  #enter(requester: HashingRequester): Effect.Effect<Ticket, PasswordsBusy> {
    const ticket: Ticket = { requester, turn: Deferred.makeUnsafe(), isRunning: false }
    if (this.#running < this.#atOnce) this.#start(ticket)
    else {
      const own = this.#queues.get(requester.fairnessKey)
      if (this.#waiting >= this.#mostWaiting && !this.#displace((own?.length ?? 0) + 1, requester.isTrusted)) {
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

  /** Refuses the last one of the key that has most waiting, when these are more than `own`, else one that is not trusted. */
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

  /** The key whose turn it is: each second time a trusted one, where one waits. */
  #nextQueue(): Array<Ticket> | undefined {
    this.#isTrustedNext = !this.#isTrustedNext
    const queues = [...this.#queues.values()]
    return (this.#isTrustedNext ? queues.find(([first]) => first!.requester.isTrusted) : undefined) ?? queues[0]
  }
}

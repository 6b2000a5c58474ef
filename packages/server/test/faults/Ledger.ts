/** What simulated clients were answered. Audits compare the state of the service with it. */
import { type ExitTokenScheme, OrganizationId, OrganizationPremises, PlaceId, PlacePremises } from "@sojourn/core"
import { Option } from "effect"
import type { Premises } from "./town.ts"

/** A stay as its client knows it. */
export interface Stay {
  readonly id: bigint
  readonly premises: Premises
  readonly person: string | undefined
  readonly exitToken: string
  readonly entrance: string
  /** The acknowledged exit. */
  exit?: string
}

/** The body of the answer to a movement. */
export interface Movement {
  readonly exitToken: string
  readonly timestamp: string
}

/** A violation: an acknowledged movement is lost or counted twice, or an answer is wrong. */
export interface Fault {
  readonly kind: "lost" | "doubled" | "wrong"
  readonly what: string
}

/** Records all answers that the clients received. An audit compares the service's state with it. */
export interface Ledger {
  readonly open: ReadonlyMap<bigint, Stay>
  readonly closed: ReadonlyMap<bigint, Stay>
  readonly entered: (premises: Premises, movement: Movement, person?: string) => Stay | undefined
  readonly left: (stay: Stay, movement: Movement) => void
  /** How many people sensors counted inside, as far as it was acknowledged. */
  readonly counted: (premises: Premises) => number
  /** Records that a sensor counted a change. */
  readonly counts: (premises: Premises, change: number) => void
  /** Records an unanswered entrance that cannot be retried, because it has no Idempotency-Key. */
  readonly unanswered: (premises: Premises) => void
  /** Attributes an unknown stay to one of these entrances; `false` when none is left. */
  readonly explains: (id: bigint, premises: Premises) => boolean
  /** The stays that were attributed this way. They stay open, since no client has their tokens. */
  readonly attributed: ReadonlyMap<bigint, Premises>
  /** Discards the remaining unanswered entrances: no request is in flight that could still open them. */
  readonly forgetUnanswered: () => void
  readonly fault: (kind: Fault["kind"], what: string) => void
  readonly faults: ReadonlyArray<Fault>
  /** The number of acknowledged movements, each counted once. */
  readonly acknowledged: () => number
  /** The number of movements whose first request got no answer, or one that leaves the outcome unknown. */
  readonly ambiguous: () => number
  readonly countAmbiguous: () => void
}

export const nameOf = ({ kind, id }: Premises) => `${kind} ${id}`

const domainPremises = ({ kind, id }: Premises) =>
  kind === "organization"
    ? OrganizationPremises(OrganizationId.make(BigInt(id)))
    : PlacePremises(PlaceId.make(BigInt(id)))

/** Creates a ledger. `tokens` decodes exit tokens, so that the ledger can be compared with the database. */
export const makeLedger = (tokens: ExitTokenScheme): Ledger => {
  const open = new Map<bigint, Stay>()
  const closed = new Map<bigint, Stay>()
  const attributed = new Map<bigint, Premises>()
  const unanswered = new Map<Premises, number>()
  const counted = new Map<string, number>()
  const faults: Array<Fault> = []
  let ambiguous = 0
  const fault = (kind: Fault["kind"], what: string) => void faults.push({ kind, what })

  const entered = (premises: Premises, { exitToken, timestamp }: Movement, person?: string) => {
    const located = tokens.recognize(domainPremises(premises), exitToken)
    if (Option.isNone(located)) return void fault("wrong", `an entrance of ${nameOf(premises)} gave a foreign token`)
    const id = located.value.stayId
    const known = open.get(id) ?? closed.get(id)
    if (known !== undefined) {
      if (known.entrance !== timestamp) fault("doubled", `stay ${id} was entered at ${known.entrance} and ${timestamp}`)
      if (known.person !== person) fault("doubled", `stay ${id} belongs to two people`)
      return known
    }
    const stay: Stay = { id, premises, person, exitToken, entrance: timestamp }
    open.set(id, stay)
    return stay
  }

  const left = (stay: Stay, { exitToken, timestamp }: Movement) => {
    if (exitToken !== stay.exitToken) fault("wrong", `the exit of stay ${stay.id} answered another token`)
    if (stay.exit !== undefined && stay.exit !== timestamp) {
      fault("doubled", `stay ${stay.id} was left at ${stay.exit} and at ${timestamp}`)
    }
    stay.exit ??= timestamp
    open.delete(stay.id)
    closed.set(stay.id, stay)
  }

  return {
    open,
    closed,
    attributed,
    faults,
    fault,
    entered,
    left,
    counted: (premises) => counted.get(nameOf(premises)) ?? 0,
    counts: (premises, change) => void counted.set(nameOf(premises), (counted.get(nameOf(premises)) ?? 0) + change),
    unanswered: (premises) => void unanswered.set(premises, (unanswered.get(premises) ?? 0) + 1),
    explains: (id, premises) => {
      const left = unanswered.get(premises) ?? 0
      if (left > 0) {
        unanswered.set(premises, left - 1)
        attributed.set(id, premises)
      }
      return left > 0
    },
    forgetUnanswered: () => unanswered.clear(),
    acknowledged: () => open.size + 2 * closed.size,
    ambiguous: () => ambiguous,
    countAmbiguous: () => void ambiguous++
  }
}

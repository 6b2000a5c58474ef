/** The audit: who changed what, and who looked at whom. */
import * as Schema from "effect/Schema"
import { branded } from "../shared/branded.ts"
import { LARGEST_LONG, type OrganizationId, type OrgAuthServerId, type PlaceId } from "../shared/Ids.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { AnyCaller } from "../accounts/Caller.ts"
import type { Changes } from "./changes.ts"

/** Identifies an entry: a Long, never used again. */
export const AuditEntryId = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: LARGEST_LONG })).pipe(
  branded("AuditEntryId")
)
export type AuditEntryId = typeof AuditEntryId.Type

/** The kinds of {@link Actor}. */
export const ActorKind = Schema.Literals(["administrator", "operator", "command", "policy"])

/**
 * Who acted: an administrator or an operator by their id, a command of the command line by its name, or a policy of an organization, which
 * acts by itself, by the name of its field.
 */
export interface Actor {
  readonly kind: typeof ActorKind.Type
  readonly id: string
}

/** What an act concerned, such as `{ kind: "place", id: "7" }`. */
export interface Target {
  readonly kind: string
  readonly id: string
}

/** The person who was asked for by name; undefined where it is several, or all. */
export const personAsked = (people: ReadonlyArray<OrgAuthServerId>): Target | undefined => {
  const [person, ...others] = new Set(people)
  return person === undefined || others.length > 0 ? undefined : { kind: "person", id: person }
}

/** What was done, as the step in which it happens adds it to the audit. */
export interface Act {
  /** None where it concerns no organization. */
  readonly organizationId?: OrganizationId | undefined
  readonly placeId?: PlaceId | undefined
  /** A stable name, such as `place.create`. */
  readonly action: string
  readonly target?: Target | undefined
  readonly changes?: Changes | undefined
  /** How many people were answered, or are concerned. */
  readonly count?: number | undefined
  /** Who acted, where it is not the caller of the use case. */
  readonly author?: Author | undefined
}

/** Who acted, and in which request. */
export interface Author {
  readonly actor: Actor
  readonly requestId?: string | undefined
}

/** An entry of the audit (spec: audit#entries). */
export interface AuditEntry extends Author, Omit<Act, "author"> {
  readonly id: AuditEntryId
  readonly at: Timestamp
}

/** The action of all readings of people. */
export const PERSON_READ = "person.read"

/** Readings of one actor, kind and target within this time are one entry, in milliseconds. */
export const READINGS_MERGED_MS = 60_000

/** A position in a list of entries, the newest first: after the entry of this time and id. */
export interface AuditPosition {
  readonly at: Timestamp
  readonly id: AuditEntryId
}

/** Which entries a list answers: `from` (inclusive) to `to` (exclusive), of an action and of an actor's id where they are given. */
export interface AuditQuery {
  readonly from: Timestamp
  readonly to: Timestamp
  readonly action?: string | undefined
  readonly actor?: string | undefined
  readonly after?: AuditPosition | undefined
  /** The most entries that are answered. */
  readonly limit: number
}

const isPerson = ({ kind }: Target): boolean => ["administrator", "operator", "person", "user"].includes(kind)

/** An entry as the subject of an export of personal data may read it: whom else the subject acted on is another person's. */
export const entryForSubject =
  (subject: Target) =>
  ({ target, ...entry }: AuditEntry): AuditEntry =>
    target !== undefined && isPerson(target) && (target.kind !== subject.kind || target.id !== subject.id)
      ? entry
      : { ...entry, target }

/** The order of lists: the newest first. */
export const AuditOrder = (one: AuditPosition, other: AuditPosition): number =>
  other.at - one.at || (one.id > other.id ? -1 : one.id < other.id ? 1 : 0)

/** Whether an entry is in a list, `after` and `limit` aside. */
export const isInAudit = (
  { at, action, actor }: Pick<AuditEntry, "at" | "action" | "actor">,
  query: Omit<AuditQuery, "limit" | "after">
): boolean =>
  at >= query.from &&
  at < query.to &&
  (query.action === undefined || action === query.action) &&
  (query.actor === undefined || actor.id === query.actor)

/** The caller as the audit names them; undefined of users and devices, who leave no entries. */
export const actorOf = (caller: AnyCaller): Actor | undefined => {
  switch (caller._tag) {
    case "Administrator":
      return { kind: "administrator", id: caller.administratorId }
    case "Operator":
      return { kind: "operator", id: caller.operatorId }
    default:
      return undefined
  }
}

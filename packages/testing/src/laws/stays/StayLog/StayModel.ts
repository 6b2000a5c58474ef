import {
  type ClosedStay,
  ClosedStayOrder,
  type Closing,
  type ExitBeforeEntrance,
  ExitNotMatched,
  type IdentityNotOwn,
  type LinkedToAnother,
  type MovementFacts,
  type NotLinked,
  type OpenStay,
  type Opening,
  type OrgAuthServerId,
  type OrganizationId,
  type Premises,
  RETRY_KEY_LIFETIME,
  type StayId,
  type TimestampInFuture,
  type TimestampTooOld,
  type TrackingMode,
  type UserId,
  admit,
  mayLink,
  samePremises,
  settle
} from "@sojourn/core"
import { Option, Result } from "effect"

/**
 * The stays of one organization as the specification describes them, written to be read and not to be fast: what a `StayLog`
 * is compared with. Its ids are 1, 2, 3, ... in the order of entrances.
 */
export class StayModel {
  mode: TrackingMode
  readonly organizationId: OrganizationId
  readonly links = new Map<UserId, OrgAuthServerId>()
  readonly stays: Array<OpenStay | ClosedStay> = []
  readonly #keys: Array<{ readonly opening: Opening; readonly stay: number }> = []

  constructor(organizationId: OrganizationId, mode: TrackingMode) {
    this.organizationId = organizationId
    this.mode = mode
  }

  #facts(userId: UserId): MovementFacts {
    return { mode: this.mode, linked: Option.fromUndefinedOr(this.links.get(userId)) }
  }

  /** The place in `stays` of the stay that an entrance opens or repeats. */
  open(opening: Opening): Result.Result<number, NotLinked | IdentityNotOwn | TimestampInFuture | TimestampTooOld> {
    const { premises, claim, retryKey, keyId } = opening
    return Result.map(admit(this.#facts(opening.userId), claim), ({ person, entrance }) => {
      const repeated = this.#keys.find(
        (used) =>
          samePremises(used.opening.premises, premises) &&
          Option.getOrUndefined(used.opening.retryKey) === Option.getOrUndefined(retryKey) &&
          claim.now - used.opening.claim.now < RETRY_KEY_LIFETIME
      )
      if (Option.isSome(retryKey) && repeated !== undefined) return repeated.stay
      const orgAuthServerId = Option.getOrUndefined(person)
      const inside = this.stays.findIndex(
        (stay) =>
          stay._tag === "OpenStay" &&
          stay.orgAuthServerId !== undefined &&
          stay.orgAuthServerId === orgAuthServerId &&
          samePremises(stay.premises, premises)
      )
      const stay = inside >= 0 ? inside : this.stays.length
      if (inside < 0) {
        const id = BigInt(stay + 1) as StayId
        const { organizationId } = this
        this.stays.push({ _tag: "OpenStay", id, organizationId, premises, orgAuthServerId, keyId, entrance })
      }
      if (Option.isSome(retryKey)) this.#keys.push({ opening, stay })
      return stay
    })
  }

  /** What an exit makes of the stay at a place in `stays`. */
  close(
    index: number,
    { premises, userId, claim }: Omit<Closing, "stay">
  ): Result.Result<
    ClosedStay,
    IdentityNotOwn | ExitNotMatched | TimestampInFuture | TimestampTooOld | ExitBeforeEntrance
  > {
    const stay = this.stays[index]
    if (stay === undefined || !samePremises(stay.premises, premises)) return Result.fail(new ExitNotMatched())
    return Result.map(settle(this.#facts(userId), stay, claim), (closed) => {
      this.stays[index] = closed
      return closed
    })
  }

  /** Links a user to a person, unless another user is. */
  link(userId: UserId, person: OrgAuthServerId): Result.Result<void, LinkedToAnother> {
    const holder = [...this.links].find(([, linked]) => linked === person)?.[0]
    return Result.map(mayLink(userId, Option.fromUndefinedOr(holder)), () => {
      this.links.set(userId, person)
    })
  }

  countOpen(premises: Premises): number {
    return this.stays.filter((stay) => stay._tag === "OpenStay" && samePremises(stay.premises, premises)).length
  }

  /** The closed stays of the premises, in the order of lists. */
  closed(premises: Premises): ReadonlyArray<ClosedStay> {
    return this.stays
      .filter((stay) => stay._tag === "ClosedStay")
      .filter((stay) => samePremises(stay.premises, premises))
      .sort(ClosedStayOrder)
  }
}

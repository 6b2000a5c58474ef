import { type OrganizationId, type PlaceId, PlacePremises, OrganizationPremises, type Premises } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as SqlError from "effect/sql/SqlError"
import type { Database } from "./Database.ts"

/** What `place_id` holds for the organization as a whole. */
const WHOLE = 0n

/** The key of some premises in every table that has one: the organization's id and the place's. */
export interface PremisesKey {
  readonly organizationId: OrganizationId
  readonly placeId: bigint
}

/** What `place_id` holds for some premises. */
export const placeIdOf = (premises: Premises): bigint =>
  premises._tag === "OrganizationPremises" ? WHOLE : premises.placeId

/** The premises that a row is about. */
export const premisesOf = ({ organizationId, placeId }: PremisesKey): Premises =>
  placeId === WHOLE ? OrganizationPremises(organizationId) : PlacePremises(placeId as PlaceId)

/** How many places' organizations are remembered. */
const MOST_REMEMBERED = 100_000

/** Tells whose places are. */
export interface PremisesDirectory {
  /** The key of some premises, where it is known without asking. They may have ended since. */
  readonly known: (premises: Premises) => PremisesKey | undefined
  /** The key of some premises; none for a place that does not exist. They may have ended since. */
  readonly locate: (premises: Premises) => Effect.Effect<Option.Option<PremisesKey>, SqlError.SqlError>
}

/**
 * Every hot statement names the organization, which a place's movement does not. A place never moves to another one and
 * its id is never used again, so what was once looked up holds for good; whether the place is still there, the statement
 * itself finds out.
 */
export const makePremisesDirectory = (db: Database): PremisesDirectory => {
  const organizations = new Map<PlaceId, OrganizationId>()
  const find = Effect.fnUntraced(function* (placeId: PlaceId) {
    const rows = yield* db.run<{ readonly organization_id: OrganizationId }>(
      "select organization_id from place where id = $1::bigint",
      [placeId]
    )
    const organizationId = rows[0]?.organization_id
    if (organizationId === undefined) return Option.none()
    if (organizations.size >= MOST_REMEMBERED) organizations.clear()
    organizations.set(placeId, organizationId)
    return Option.some({ organizationId, placeId })
  })
  const known = (premises: Premises): PremisesKey | undefined => {
    if (premises._tag === "OrganizationPremises") return { organizationId: premises.organizationId, placeId: WHOLE }
    const organizationId = organizations.get(premises.placeId)
    return organizationId === undefined ? undefined : { organizationId, placeId: premises.placeId }
  }
  return {
    known,
    locate: (premises) => {
      const key = known(premises)
      if (key !== undefined) return Effect.succeedSome(key)
      return premises._tag === "PlacePremises" ? find(premises.placeId) : Effect.succeedNone
    }
  }
}

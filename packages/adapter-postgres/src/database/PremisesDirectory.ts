/** The keys by which tables name premises. Every key begins with the organization, which is looked up for a place and cached. */
import {
  type OrganizationId,
  OrganizationPremises,
  type PlaceId,
  PlacePremises,
  type Premises,
  PremisesNotFound,
  TwoGenerationCache
} from "@sojourn/core"
import { Effect, Option } from "effect"
import type * as SqlError from "effect/sql/SqlError"
import { CurrentJoined, type Database } from "./Database.ts"

/** The value of `place_id` for the organization as a whole. */
const NO_PLACE = 0n

/** The key of some premises in every table that has one: the organization's id and the place's. */
export interface PremisesKey {
  readonly organizationId: OrganizationId
  readonly placeId: bigint
}

/** The value of `place_id` for premises. */
export const placeIdOf = (premises: Premises): bigint =>
  premises._tag === "OrganizationPremises" ? NO_PLACE : premises.placeId

/** The premises that a row is about. */
export const premisesOf = ({ organizationId, placeId }: PremisesKey): Premises =>
  placeId === NO_PLACE ? OrganizationPremises(organizationId) : PlacePremises(placeId as PlaceId)

/** The number of places that are always cached, and half the largest number. */
const CAPACITY = 50_000

/** Resolves a place to its organization. */
export interface PremisesDirectory {
  /** The key of premises, if it is cached. The premises may have been deleted since. */
  readonly known: (premises: Premises) => PremisesKey | undefined
  /** The key of premises; none for a place that does not exist. The premises may have been deleted since. */
  readonly locate: (premises: Premises) => Effect.Effect<Option.Option<PremisesKey>, SqlError.SqlError>
  /** The same; fails for a place that does not exist. */
  readonly require: (premises: Premises) => Effect.Effect<PremisesKey, PremisesNotFound | SqlError.SqlError>
}

/**
 * Makes a directory with a cache. Every hot statement names the organization, which a place's movement does not. A place never
 * moves to another organization and its id is never reused, so entries never become stale; the statements check whether the
 * place still exists.
 */
export const makePremisesDirectory = (db: Database): PremisesDirectory => {
  const organizations = new TwoGenerationCache<PlaceId, OrganizationId>(CAPACITY)
  const find = Effect.fnUntraced(function* (placeId: PlaceId) {
    const rows = yield* db.run<{ readonly organization_id: OrganizationId }>(
      "select organization_id from place where id = $1::bigint",
      [placeId]
    )
    const organizationId = rows[0]?.organization_id
    if (organizationId === undefined) return Option.none()
    // The application may roll its transaction back, and the place may be its own.
    if ((yield* CurrentJoined) === undefined) organizations.set(placeId, organizationId)
    return Option.some({ organizationId, placeId })
  })
  const known = (premises: Premises): PremisesKey | undefined => {
    if (premises._tag === "OrganizationPremises") return { organizationId: premises.organizationId, placeId: NO_PLACE }
    const organizationId = organizations.get(premises.placeId)
    return organizationId === undefined ? undefined : { organizationId, placeId: premises.placeId }
  }
  const locate: PremisesDirectory["locate"] = (premises) => {
    const key = known(premises)
    if (key !== undefined) return Effect.succeedSome(key)
    return premises._tag === "PlacePremises" ? find(premises.placeId) : Effect.succeedNone
  }
  return {
    known,
    locate,
    require: (premises) =>
      Effect.flatMap(
        locate(premises),
        Option.match({
          onNone: () => Effect.fail(new PremisesNotFound({ premises })),
          onSome: (key) => Effect.succeed(key)
        })
      )
  }
}

/** Random ids: few enough that they meet often, and those at the edges of their ranges. */
import {
  AccessId,
  AdministratorId,
  LARGEST_ISSUED_ID,
  LARGEST_LONG,
  OrgAuthServerId,
  OrganizationId,
  OrganizationPremises,
  PlaceId,
  PlacePremises,
  type Premises,
  StayId,
  UserId
} from "@sojourn/core"
import { Arbitrary } from "effect"
import { anyOf, integer, oneOf } from "./choice.ts"
import { text } from "./text.ts"

/** A Long: small ones that meet often, and the edges of what JSON numbers and 64-bit integers hold. */
export const long: Arbitrary.Arbitrary<bigint> = oneOf(
  Arbitrary.map(integer(1, 4), BigInt),
  Arbitrary.map(integer(1, Number.MAX_SAFE_INTEGER), BigInt),
  anyOf([1n, 255n, 256n, 2n ** 31n - 1n, 2n ** 32n, LARGEST_ISSUED_ID, LARGEST_ISSUED_ID + 1n, LARGEST_LONG])
)

export const organizationId: Arbitrary.Arbitrary<OrganizationId> = Arbitrary.map(long, (id) => OrganizationId.make(id))
export const placeId: Arbitrary.Arbitrary<PlaceId> = Arbitrary.map(long, (id) => PlaceId.make(id))
export const stayId: Arbitrary.Arbitrary<StayId> = Arbitrary.map(long, (id) => StayId.make(id))
export const accessId: Arbitrary.Arbitrary<AccessId> = Arbitrary.map(long, (id) => AccessId.make(id))

/** Premises whose numbers often agree between organizations and places. */
export const premises: Arbitrary.Arbitrary<Premises> = oneOf<Premises>(
  Arbitrary.map(organizationId, OrganizationPremises),
  Arbitrary.map(placeId, PlacePremises)
)

export const userId: Arbitrary.Arbitrary<UserId> = oneOf(
  Arbitrary.map(anyOf(["u1", "u2", "u12", "1", "auth0|5f7c"]), (id) => UserId.make(id)),
  Arbitrary.map(text(1, 256), (id) => UserId.make(id))
)

export const administratorId: Arbitrary.Arbitrary<AdministratorId> = Arbitrary.map(
  anyOf(["ada", "bob", "Bob", "cleo", "dan", "漢"]),
  (id) => AdministratorId.make(id)
)

/**
 * Ids as directories have them: bare names that differ in case alone, distinguished names with commas, escapes, slashes.
 */
export const PEOPLE = [
  "ada",
  "Ada",
  "bob",
  "uid=ada,ou=people,dc=example,dc=org",
  "uid=ada\\,ou=people",
  "a%2Cb",
  "a,b",
  "50%/50%",
  "*",
  "漢字 😀",
  "' OR 1=1 --"
] as const

/** A person of a few, so that two of them are often the same, or of any shape. */
export const orgAuthServerId: Arbitrary.Arbitrary<OrgAuthServerId> = Arbitrary.map(
  oneOf<string>(anyOf(PEOPLE), anyOf(["ada", "bob"]), text(1, 256)),
  (id) => OrgAuthServerId.make(id)
)

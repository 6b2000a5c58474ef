/** The ids of everything. They are branded, so that none is taken for another; ids of people are texts given from outside. */
import * as Schema from "effect/Schema"
import { branded } from "./branded.ts"

/** The largest id that the service issues: what every JSON client can hold exactly (2^53-1). */
export const LARGEST_ISSUED_ID = 9007199254740991n

/**
 * The largest Long that a path may hold (2^63-1). One above {@link LARGEST_ISSUED_ID} is well-formed and never issued.
 */
export const LARGEST_LONG = 9223372036854775807n

/** 0 is a Long as well: well-formed, and never issued. */
const Long = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: LARGEST_LONG }))

/** Identifies an organization: a Long, issued by the service from 1 upwards (spec: http#longs). */
export const OrganizationId = Long.pipe(branded("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/** Identifies a place: a Long, issued by the service from 1 upwards, never used again (spec: http#longs). */
export const PlaceId = Long.pipe(branded("PlaceId"))
export type PlaceId = typeof PlaceId.Type

/** Identifies a stay in the store: a Long, never used again, in no order with others. Callers never see it. */
export const StayId = Long.pipe(branded("StayId"))
export type StayId = typeof StayId.Type

/** Identifies a stay, and the access that it becomes, to callers: the encrypted {@link StayId}, in no order. */
export const AccessId = Long.pipe(branded("AccessId"))
export type AccessId = typeof AccessId.Type

/** Identifies a favorite in the store: a Long, the position in the list of its user. Callers never see it. */
export const FavoriteId = Long.pipe(branded("FavoriteId"))
export type FavoriteId = typeof FavoriteId.Type

/** Identifies a deletion request: a Long, never used again. */
export const DeletionRequestId = Long.pipe(branded("DeletionRequestId"))
export type DeletionRequestId = typeof DeletionRequestId.Type

/** Identifies a muster: a Long, never used again. */
export const MusterId = Long.pipe(branded("MusterId"))
export type MusterId = typeof MusterId.Type

/** Identifies a device: a Long, never used again. */
export const DeviceId = Long.pipe(branded("DeviceId"))
export type DeviceId = typeof DeviceId.Type

/** Identifies a webhook: a Long, never used again. */
export const WebhookId = Long.pipe(branded("WebhookId"))
export type WebhookId = typeof WebhookId.Type

const isStorable = (text: string) => text.isWellFormed() && !text.includes("\u0000")

/** Text that every store and every JSON client keeps as it is: no NUL and no lone surrogate. */
export const Text = Schema.String.check(
  Schema.makeFilter(isStorable, { expected: "text without NUL and without lone surrogates" })
)

/** How many characters a text has for a person: code points, neither bytes nor UTF-16 units. */
export const characters = (text: string): number => {
  let surrogatePairs = 0
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) surrogatePairs++
  return text.length - surrogatePairs
}

/** Text of `minimum` to `maximum` characters (code points). */
export const textOf = (minimum: number, maximum: number) =>
  Text.check(
    Schema.makeFilter(
      (text: string) => {
        const count = characters(text)
        return count >= minimum && count <= maximum
      },
      { expected: `text of ${minimum} to ${maximum} characters` }
    )
  )

/** An app user's id: the subject of the user's credentials (spec: accounts#credentials). */
export const UserId = textOf(1, 256).pipe(branded("UserId"))
export type UserId = typeof UserId.Type

/** A web-app administrator's id: the subject of the administrator's credentials (spec: accounts#credentials). */
export const AdministratorId = textOf(1, 256).pipe(branded("AdministratorId"))
export type AdministratorId = typeof AdministratorId.Type

/** The id of one of the service's own administrators, who provision organizations and examine deletion requests. */
export const OperatorId = textOf(1, 256).pipe(branded("OperatorId"))
export type OperatorId = typeof OperatorId.Type

/** A person's id on an organization's own authentication server (spec: stays#identity). It may hold any character. */
export const OrgAuthServerId = textOf(1, 256).pipe(branded("OrgAuthServerId"))
export type OrgAuthServerId = typeof OrgAuthServerId.Type

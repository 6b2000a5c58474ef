/** An organization, and which changes of it are accepted. Areas are checked by `AreaConstraints`. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { respectsMaxArea, type TrackingAreaTooLarge } from "../areas/AreaConstraints.ts"
import { AuthenticationServerMissing } from "../accounts/AuthenticationServer.ts"
import type { AuthenticationServerUrl } from "../accounts/AuthenticationServerUrl.ts"
import { type ChangeOf, changedFields } from "../shared/changedField.ts"
import { characters, type OrganizationId, Text, textOf } from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { TrackingArea } from "../areas/TrackingArea.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"

/** The texts of an organization, and the largest area that it may have. */
export const ORGANIZATION_FIELDS = {
  name: textOf(1, 128),
  description: textOf(0, 512),
  image: textOf(0, 300),
  street: textOf(0, 256),
  number: textOf(0, 10),
  postCode: Schema.Union([Text, Schema.Int]).check(
    Schema.makeFilter((code: string | number) => characters(String(code)) <= 16, { expected: "at most 16 characters" })
  ),
  city: textOf(0, 100),
  country: textOf(0, 100),
  authenticationServer: textOf(0, 2048),
  maxArea: Schema.Finite.check(Schema.isGreaterThan(0))
} as const

/** What a new organization is made of. */
export interface NewOrganization {
  /** 1 to 128 characters, unique among organizations. */
  readonly name: string
  readonly description?: string | undefined
  readonly image?: string | undefined
  readonly street?: string | undefined
  readonly number?: string | undefined
  /** Text or an integer, kept as it was given. */
  readonly postCode?: string | number | undefined
  readonly city?: string | undefined
  readonly country?: string | undefined
  readonly trackingArea: TrackingArea
  readonly trackingMode: TrackingMode
  readonly authenticationServer?: AuthenticationServerUrl | undefined
  /** The largest tracking area that it may have, in square metres: the operator's choice. None: any area. */
  readonly maxArea?: number | undefined
}

/** An organization that tracks people (spec: organizations#organizations). */
export interface Organization extends NewOrganization {
  readonly id: OrganizationId
  readonly creationDate: Timestamp
  readonly lastChangeDate: Timestamp
  /** That of the stay policy: only a change of the policy changes it. None: `DEFAULT_TIME_ZONE`. */
  readonly timeZone?: string | undefined
}

/** Fields to change: those that are present. `null` clears an optional field. */
export type OrganizationChange = ChangeOf<Omit<NewOrganization, "maxArea">>

/** There is no such organization (spec: organizations#exists). */
export class OrganizationNotFound extends TaggedError("OrganizationNotFound", "the organization does not exist")<{
  readonly organizationId: OrganizationId
}> {}

/** Another organization has the name. */
export class OrganizationNameTaken extends TaggedError("OrganizationNameTaken", "another organization has this name")<{
  readonly name: string
}> {}

/** An organization that tracks people by name knows where to ask for their names. */
const knowsItsServer = (organization: NewOrganization): Result.Result<void, AuthenticationServerMissing> =>
  organization.trackingMode === "authenticated" && organization.authenticationServer === undefined
    ? Result.fail(new AuthenticationServerMissing())
    : Result.void

/** A new organization keeps the rules of one. */
export const checkNewOrganization = (
  organization: NewOrganization
): Result.Result<void, AuthenticationServerMissing | TrackingAreaTooLarge> =>
  Result.gen(function* () {
    yield* knowsItsServer(organization)
    yield* respectsMaxArea(organization.trackingArea, organization.maxArea)
  })

/** Whether two versions of an organization differ in their data. */
export const hasOrganizationChanged = (before: Organization, after: Organization): boolean =>
  (Object.keys({ ...before, ...after }) as Array<keyof Organization>).some((field) => {
    if (field === "trackingArea") return before.trackingArea.text !== after.trackingArea.text
    if (field === "authenticationServer") return before.authenticationServer?.text !== after.authenticationServer?.text
    return before[field] !== after[field]
  })

/**
 * The organization as a change leaves it, when the change keeps its rules; its very self when nothing differs. Whether a new
 * area holds all places, the rules of areas say.
 */
export const changeOrganization = (
  organization: Organization,
  change: OrganizationChange,
  now: Timestamp
): Result.Result<Organization, AuthenticationServerMissing | TrackingAreaTooLarge> =>
  Result.gen(function* () {
    const changed = changedFields<Organization>(organization, change)
    if (!hasOrganizationChanged(organization, changed)) return organization
    yield* knowsItsServer(changed)
    if (changed.trackingArea.text !== organization.trackingArea.text) {
      yield* respectsMaxArea(changed.trackingArea, changed.maxArea)
    }
    return { ...changed, lastChangeDate: Math.max(now, organization.lastChangeDate) as Timestamp }
  })

/** The organization with the operator's constraint, when its present area respects it; none lifts it. */
export const constrainOrganization = (
  organization: Organization,
  maxArea: number | undefined
): Result.Result<Organization, TrackingAreaTooLarge> =>
  Result.map(respectsMaxArea(organization.trackingArea, maxArea), () => ({ ...organization, maxArea }))

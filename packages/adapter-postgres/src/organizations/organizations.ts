/** Rows of organizations, and the parameters of the statements that write them. */
import {
  type AuthenticationServerUrl,
  keptTrackingArea,
  type NewOrganization,
  type Organization,
  type OrganizationId,
  parseAuthenticationServerUrl,
  type Timestamp,
  type TrackingMode
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Result from "effect/Result"
import { timestampOf } from "../database/rows.ts"

/** A row of the table `organization`. */
export interface OrganizationRow {
  readonly id: OrganizationId
  readonly name: string
  readonly description: string | null
  readonly image: string | null
  readonly street: string | null
  readonly number: string | null
  readonly post_code: string | number | null
  readonly city: string | null
  readonly country: string | null
  readonly authentication_server: string | null
  readonly tracking_area: string
  readonly tracking_mode: TrackingMode
  readonly max_area: number | null
  readonly creation_date: Date
  readonly last_change_date: Date
}

/** The columns that a request may set, with their types, in the order of {@link organizationValues}. */
export const ORGANIZATION_COLUMNS = [
  ["name", "text"],
  ["description", "text"],
  ["image", "text"],
  ["street", "text"],
  ["number", "text"],
  ["post_code", "jsonb"],
  ["city", "text"],
  ["country", "text"],
  ["authentication_server", "text"],
  ["tracking_area", "text"],
  ["tracking_mode", "text"],
  ["max_area", "double precision"],
  ["last_change_date", "timestamptz"]
] as const

/** The values of {@link ORGANIZATION_COLUMNS}, as parameters. */
export const organizationValues = (
  organization: NewOrganization,
  lastChangeDate: Timestamp
): ReadonlyArray<unknown> => [
  organization.name,
  organization.description ?? null,
  organization.image ?? null,
  organization.street ?? null,
  organization.number ?? null,
  // As JSON, which distinguishes the text "35100" from the integer.
  organization.postCode === undefined ? null : JSON.stringify(organization.postCode),
  organization.city ?? null,
  organization.country ?? null,
  organization.authenticationServer?.text ?? null,
  organization.trackingArea.text,
  organization.trackingMode,
  organization.maxArea ?? null,
  PgTypes.timestamptz(lastChangeDate)
]

/** The server as it was accepted when it was stored. Whether the policy still allows it is checked at each use. */
const keptServer = (text: string): AuthenticationServerUrl => Result.getOrThrow(parseAuthenticationServerUrl(text))

/** The organization of a row. */
export const organizationOf = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  description: row.description ?? undefined,
  image: row.image ?? undefined,
  street: row.street ?? undefined,
  number: row.number ?? undefined,
  postCode: row.post_code ?? undefined,
  city: row.city ?? undefined,
  country: row.country ?? undefined,
  authenticationServer: row.authentication_server === null ? undefined : keptServer(row.authentication_server),
  trackingArea: keptTrackingArea(row.tracking_area),
  trackingMode: row.tracking_mode,
  maxArea: row.max_area ?? undefined,
  creationDate: timestampOf(row.creation_date),
  lastChangeDate: timestampOf(row.last_change_date)
})

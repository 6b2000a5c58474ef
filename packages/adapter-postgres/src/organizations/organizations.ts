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
import { Result } from "effect"
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
  readonly time_zone: string | null
  readonly creation_date: Date
  readonly last_change_date: Date
}

type ColumnValue = (organization: NewOrganization, lastChangeDate: Timestamp) => unknown

/** The columns that a request may set, with their types and values. */
export const ORGANIZATION_COLUMNS: ReadonlyArray<readonly [column: string, type: string, value: ColumnValue]> = [
  ["name", "text", ({ name }) => name],
  ["description", "text", ({ description }) => description],
  ["image", "text", ({ image }) => image],
  ["street", "text", ({ street }) => street],
  ["number", "text", ({ number }) => number],
  // As JSON, which distinguishes the text "35100" from the integer.
  ["post_code", "jsonb", ({ postCode }) => (postCode === undefined ? undefined : JSON.stringify(postCode))],
  ["city", "text", ({ city }) => city],
  ["country", "text", ({ country }) => country],
  ["authentication_server", "text", ({ authenticationServer }) => authenticationServer?.text],
  ["tracking_area", "text", ({ trackingArea }) => trackingArea.text],
  ["tracking_mode", "text", ({ trackingMode }) => trackingMode],
  ["max_area", "double precision", ({ maxArea }) => maxArea],
  ["last_change_date", "timestamptz", (_, lastChangeDate) => PgTypes.timestamptz(lastChangeDate)]
]

/** The values of {@link ORGANIZATION_COLUMNS}, as parameters. */
export const organizationValues = (organization: NewOrganization, lastChangeDate: Timestamp) =>
  ORGANIZATION_COLUMNS.map(([, , valueOf]) => valueOf(organization, lastChangeDate) ?? null)

/** The server as it was accepted when it was stored. Whether the policy still allows it is checked at each use. */
const keptServer = (text: string): AuthenticationServerUrl => Result.getOrThrow(parseAuthenticationServerUrl(text))

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
  timeZone: row.time_zone ?? undefined,
  creationDate: timestampOf(row.creation_date),
  lastChangeDate: timestampOf(row.last_change_date)
})

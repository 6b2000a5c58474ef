/** The JSON of the audit, and the parameters of its lists. */
import {
  ActorKind,
  type AuditEntryId,
  AuditEntryId as EntryId,
  type AuditPosition,
  Changes,
  Text,
  Timestamp
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import {
  known,
  long,
  QueryLimit,
  QueryOrganizationId,
  WireOrganizationId,
  WirePlaceId,
  WireTimestamp
} from "../shared/fields.ts"
import { QueryWindow } from "../stays/window.ts"

const POSITION = /^(-?\d{1,15})-(\d{1,16})$/

/** The position after which a list goes on: the `next` of the page before. */
const WireAuditPosition = Schema.String.pipe(
  Schema.decodeTo(
    Schema.declare((value): value is AuditPosition => typeof value === "object"),
    SchemaTransformation.transformEffect({
      decode: (text: string) => {
        const [, at, id] = POSITION.exec(text) ?? []
        return at === undefined || id === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: "Expected the `next` of a page" }))
          : Effect.succeed({ at: Timestamp(Number(at)), id: BigInt(id) as AuditEntryId })
      },
      encode: ({ at, id }: AuditPosition) => Effect.succeed(`${at}-${id}`)
    })
  )
)

/** Which entries are listed. */
export const WireAuditQuery = {
  ...QueryWindow,
  action: Schema.optional(Text),
  actor: Schema.optional(Text),
  limit: Schema.optional(QueryLimit),
  after: Schema.optional(WireAuditPosition)
}

export const WireOperatorAuditQuery = { ...WireAuditQuery, organizationId: Schema.optional(QueryOrganizationId) }

const Named = <Kind extends Schema.Constraint>(kind: Kind) => Schema.Struct({ kind, id: Schema.String })

/** An entry of the audit. */
export const WireAuditEntry = Schema.Struct({
  id: long(EntryId),
  at: WireTimestamp,
  organizationId: known(WireOrganizationId),
  placeId: known(WirePlaceId),
  actor: Named(ActorKind),
  action: Schema.String,
  target: known(Named(Schema.String)),
  changes: known(Changes),
  requestId: known(Schema.String),
  count: known(Schema.Int)
}).annotate({ identifier: "AuditEntry" })

/** A page of entries, the newest first. `next` is there while there are more. */
export const WireAuditPage = Schema.Struct({
  entries: Schema.Array(WireAuditEntry),
  next: known(WireAuditPosition)
}).annotate({ identifier: "AuditPage" })

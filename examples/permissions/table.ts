/** Who may do what: the table that people read, and for each of its rows the use case that does it. */
import type * as Memory from "@sojourn/adapter-memory"
import * as Sojourn from "@sojourn/core"
import type { Effect, Layer } from "effect"

/** The levels that may do an action. An administrator without a level may do none of these. */
export const ALLOWED = {
  "read a counter": ["viewer", "manager", "owner"],
  "read a report": ["viewer", "manager", "owner"],
  "list the places": ["viewer", "manager", "owner"],
  "create a place": ["manager", "owner"],
  "remove a place": ["manager", "owner"],
  "move the border": ["manager", "owner"],
  "rename the organization": ["owner"],
  "list the administrators": ["owner"],
  "create an administrator": ["owner"],
  "ask for the deletion": ["owner"]
} as const satisfies Record<string, ReadonlyArray<Sojourn.PermissionLevel>>

export type Action = keyof typeof ALLOWED

export const named = (id: string) => ({
  administratorId: Sojourn.AdministratorId.make(id),
  mail: Sojourn.Mail.make(`${id}@works.example`)
})

export const area = (west: number, east: number): string =>
  `{"type":"Polygon","coordinates":[[[${west},45],[${east},45],[${east},46],[${west},46],[${west},45]]]}`

/** A use case with its arguments applied: it succeeds or refuses for a caller. */
type Attempt = Effect.Effect<unknown, { readonly _tag: string }, Layer.Success<typeof Memory.layer>>

/** How a caller does each action, at a place and its organization. A row of the table without an entry does not compile. */
export const doing = (who: Sojourn.Administrator, { id, organizationId }: Sojourn.Place): Record<Action, Attempt> => ({
  "read a counter": Sojourn.Presence.use((_) => _.counter(who, Sojourn.PlacePremises(id))),
  "read a report": Sojourn.Reports.use((_) => _.timePerUser(who, id)),
  "list the places": Sojourn.Places.use((_) => _.list(who, organizationId)),
  "create a place": Sojourn.Places.use((_) => _.create(who, { organizationId, trackingArea: area(11.6, 12) })),
  "remove a place": Sojourn.Places.use((_) => _.remove(who, id)),
  "move the border": Sojourn.Organizations.use((_) => _.editTrackingArea(who, organizationId, area(11, 13))),
  "rename the organization": Sojourn.Organizations.use((_) => _.edit(who, organizationId, { name: "Mill" })),
  "list the administrators": Sojourn.Administrators.use((_) => _.listByOrganization(who, organizationId)),
  "create an administrator": Sojourn.Administrators.use((_) =>
    _.create(who, { organizationId, administrator: named("newcomer"), level: "viewer" })
  ),
  "ask for the deletion": Sojourn.DeletionRequests.use((_) => _.request(who, { organizationId }))
})

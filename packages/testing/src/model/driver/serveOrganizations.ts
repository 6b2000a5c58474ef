/** Answers commands on organizations, their stay policies and their places by the use cases. */
import {
  type EventGrain,
  type LongestStay,
  type OrganizationId,
  Organizations,
  type PlaceId,
  Places,
  type SmallestCount,
  StayPolicies,
  allPages
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import { serverUrl } from "../Driver.ts"
import { maxAreaOfCells, textOfDrawing } from "../grid.ts"
import { each, nothing, type Serve, valueOf, type Translation } from "./translation.ts"

export const makeServeOrganizations = Effect.fnUntraced(function* (translation: Translation) {
  const { names, directory, answer, user, administrator, operator, reader, organizationId, placeId, mail } = translation
  const organizations = yield* Organizations
  const places = yield* Places
  const policies = yield* StayPolicies
  return {
    CreateOrganization: ({ by, organization, title, mode, server, drawing, owner, cells }) => {
      const draft = {
        name: title,
        trackingMode: mode,
        trackingArea: textOfDrawing(drawing),
        authenticationServerURL: server && serverUrl(directory, server),
        maxArea: cells && maxAreaOfCells(cells)
      }
      const first = { administratorId: translation.administratorId(owner.administrator), mail: mail(owner.mail) }
      return Effect.map(organizations.create(operator(by), draft, first), (created) => {
        names.bind("organization", organization, created.id)
        return { value: answer.organization(created) }
      })
    },
    EditOrganization: ({ by, organization, title, description, mode, server, drawing }) => {
      const edit = {
        name: title,
        description,
        trackingMode: mode,
        authenticationServerURL: typeof server === "string" ? serverUrl(directory, server) : server,
        trackingArea: drawing && textOfDrawing(drawing)
      }
      return organizations
        .edit(administrator(by), organizationId(organization), edit)
        .pipe(valueOf(answer.organization))
    },
    EditTrackingArea: ({ by, organization, drawing }) =>
      organizations
        .editTrackingArea(administrator(by), organizationId(organization), textOfDrawing(drawing))
        .pipe(valueOf(answer.organization)),
    ChangePolicy: ({ by, organization, longestStay, smallestCount, eventGrain }) =>
      policies
        .change(operator(by), organizationId(organization), {
          longestStay: longestStay as LongestStay | null | undefined,
          smallestCount: smallestCount as SmallestCount | null | undefined,
          eventGrain: eventGrain as EventGrain | null | undefined
        })
        .pipe(
          valueOf(({ longestStay, smallestCount, eventGrain }) => ({
            organization,
            longestStay,
            smallestCount,
            eventGrain
          }))
        ),
    ConstrainArea: ({ by, organization, cells }) =>
      organizations
        .constrain(operator(by), organizationId(organization), cells === null ? undefined : maxAreaOfCells(cells))
        .pipe(valueOf(({ maxArea }) => ({ organization, cells: maxArea === undefined ? undefined : cells }))),
    ReadOrganization: ({ by, organization }) =>
      organizations.get(reader(by), organizationId(organization)).pipe(valueOf(answer.organization)),
    ListOrganizations: ({ by }) =>
      allPages((after?: OrganizationId) => organizations.list(user(by), after)).pipe(each(answer.organization)),
    CreatePlace: ({ by, organization, place, title, drawing }) => {
      const draft = { organizationId: organizationId(organization), name: title, trackingArea: textOfDrawing(drawing) }
      return Effect.map(places.create(administrator(by), draft), (created) => {
        names.bind("place", place, created.id)
        return { value: answer.place(created) }
      })
    },
    EditPlace: ({ by, place, organization, title, drawing }) => {
      const edit = {
        organizationId: organization === undefined ? undefined : organizationId(organization),
        name: title,
        trackingArea: drawing && textOfDrawing(drawing)
      }
      return places.edit(administrator(by), placeId(place), edit).pipe(valueOf(answer.place))
    },
    RemovePlace: ({ by, place }) => nothing(places.remove(administrator(by), placeId(place))),
    ListPlaces: ({ by, organization }) =>
      allPages((after?: PlaceId) => places.list(reader(by), organizationId(organization), after)).pipe(
        each(answer.place)
      )
  } satisfies Partial<Serve>
})

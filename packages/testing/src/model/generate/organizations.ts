/** Organizations, places and stay policies. */
import type {
  EventGrain,
  LongestStay,
  Organization,
  OrganizationId,
  Page,
  Place,
  PlaceId,
  SmallestCount
} from "@sojourn/core"
import { allPages } from "@sojourn/core"
import { Effect } from "effect"
import { type GridRectangle, wholeGrid } from "../../arbitraries/areas.ts"
import { type Drawing, GRID, MALFORMED, maxAreaOfCells, textOfDrawing } from "../grid.ts"
import { pick, request } from "../Request.ts"
import { KNOWN_SERVER } from "../directory.ts"
import {
  ADMINISTRATORS,
  at,
  MAILS,
  type Make,
  OPERATOR,
  organizationOf,
  organizationRef,
  placeRef,
  type Scene,
  someAdministrator,
  someUser
} from "./subjects.ts"

const TITLES = ["Museum", "Works", "Library", "Harbour", "Station", "Market"]
const SERVERS = [
  KNOWN_SERVER,
  KNOWN_SERVER,
  "ldaps://silent.example.org/dc=example?uid?sub",
  "http://directory.example.org/"
]

const rectangle = ({ draw }: Scene, smallest: number, largest: number): GridRectangle => {
  const side = () => smallest + draw.below(largest - smallest + 1)
  const [width, height] = [side(), side()]
  const [left, bottom] = [draw.below(GRID - width + 1), draw.below(GRID - height + 1)]
  return { left, bottom, right: left + width, top: bottom + height }
}

const drawing = ({ draw }: Scene, area: GridRectangle): string =>
  textOfDrawing(
    draw.chance(0.08)
      ? { malformed: draw.pick(MALFORMED) }
      : {
          rectangle: area,
          form: draw.pick<Exclude<Drawing, { readonly malformed: string }>["form"]>([
            "polygon",
            "polygon",
            "feature",
            "older"
          ])
        }
  )

/** An organization's area: the whole grid, or most of it. */
const widely = (scene: Scene): string =>
  drawing(scene, scene.draw.chance(0.5) ? wholeGrid(GRID) : rectangle(scene, 5, GRID))

export const someNewOrganization: Make = (scene) => {
  const { draw } = scene
  const owner = draw.pick(ADMINISTRATORS.slice(0, 4))
  const isKnown = draw.chance(0.6)
  const server = isKnown
    ? draw.pick([KNOWN_SERVER, KNOWN_SERVER, ...SERVERS, undefined])
    : draw.maybe(0.7, () => KNOWN_SERVER)
  const mail = draw.chance(0.9) ? owner.mail! : draw.pick(MAILS)
  const cells = draw.maybe(0.7, () => draw.pick([24, 40, 48, 64]))
  return request(
    "CreateOrganization",
    OPERATOR,
    {
      draft: {
        name: draw.pick(TITLES),
        trackingMode: isKnown ? "authenticated" : "anonymous",
        trackingArea: widely(scene),
        authenticationServerURL: server,
        maxArea: cells && maxAreaOfCells(cells)
      },
      administratorId: owner.administratorId,
      mail
    } as const,
    ({ organizations }, { draft, ...first }) => organizations.create(OPERATOR, draft, first),
    { id: "organizationId" }
  )
}

export const listOrganizations: Make = (scene) => {
  const user = someUser(scene)
  return request(
    "ListOrganizations",
    user,
    {},
    ({ organizations }) =>
      allPages(
        (after?: OrganizationId) =>
          organizations.list(user, after) as Effect.Effect<Page<Organization>, { readonly _tag: string }>
      ),
    { id: "organizationId" }
  )
}

export const someOrganizationCommand: Make = (scene) => {
  const { draw } = scene
  const organization = organizationRef(scene)
  const known = organizationOf(scene, organization)
  const by = someAdministrator(scene, known, "owner")
  const edit = (change: object) =>
    request(
      "EditOrganization",
      by,
      { organization, change },
      (s, a) => s.organizations.edit(by, a.organization, a.change as never),
      {
        id: "organizationId"
      }
    )
  return draw.weighted([
    [6, () => edit({ trackingMode: known?.mode === "anonymous" ? "authenticated" : "anonymous" })],
    [3, () => edit({ name: draw.pick(TITLES) })],
    [4, () => edit({ authenticationServerURL: draw.pick([...SERVERS, null]) })],
    [2, () => edit({ description: draw.pick([null, "", "open"]), authenticationServerURL: KNOWN_SERVER })],
    [1, () => edit({})],
    [5, () => edit({ trackingArea: widely(scene), name: draw.maybe(0.3, () => draw.pick(TITLES)) })],
    [4, () => editTrackingArea(scene, organization, widely(scene))],
    [
      2,
      () => {
        const cells = draw.pick([null, 30, 40, 48, 63, 64])
        return request(
          "ConstrainArea",
          OPERATOR,
          { organization, maxArea: cells === null ? undefined : maxAreaOfCells(cells) },
          (s, a) => pick(s.organizations.constrain(OPERATOR, a.organization, a.maxArea), ["id"]),
          { id: "organizationId" }
        )
      }
    ],
    [1, () => someNewOrganization(scene)]
  ])
}

const editTrackingArea = (scene: Scene, organization: ReturnType<typeof organizationRef>, trackingArea: string) => {
  const by = someAdministrator(scene, organizationOf(scene, organization), "manager")
  return request(
    "EditTrackingArea",
    by,
    { organization, trackingArea },
    (s, a) => s.organizations.editTrackingArea(by, a.organization, a.trackingArea),
    { id: "organizationId" }
  )
}

const LONGEST = [60, 60, 600, 3600, 86_400, null] as ReadonlyArray<LongestStay | null>

export const someChangeOfPolicy: Make = (scene) => {
  const { draw } = scene
  const change = draw.weighted<object>([
    [7, () => ({ longestStay: draw.pick(LONGEST) })],
    [3, () => ({ smallestCount: draw.pick([1, 1, 2, 3, null] as ReadonlyArray<SmallestCount | null>) })],
    [2, () => ({ timeZone: draw.pick(["Europe/Rome", "Asia/Kolkata", null]) })],
    [4, () => ({ eventGrain: draw.pick([0, 2, 7, 60, 60, null] as ReadonlyArray<EventGrain | null>) })]
  ])
  return request("ChangePolicy", OPERATOR, { organization: organizationRef(scene), change }, (s, a) =>
    s.stayPolicies.change(OPERATOR, a.organization, a.change)
  )
}

const createPlace = (
  scene: Scene,
  organization: ReturnType<typeof organizationRef>,
  trackingArea: string,
  name?: string
) => {
  const by = someAdministrator(scene, organizationOf(scene, organization), "manager")
  return request(
    "CreatePlace",
    by,
    { organizationId: organization, name, trackingArea },
    (s, a) => s.places.create(by, a),
    { id: "placeId" }
  )
}

export const removePlace = (scene: Scene, place: ReturnType<typeof placeRef>) => {
  const by = someAdministrator(scene, at(scene, { place }), "manager")
  return request("RemovePlace", by, { place }, (s, a) => Effect.asVoid(s.places.remove(by, a.place)))
}

export const somePlaceCommand: Make = (scene) => {
  const { draw } = scene
  const place = placeRef(scene)
  const by = someAdministrator(scene, at(scene, { place }), "manager")
  const small = () => drawing(scene, rectangle(scene, 1, 4))
  const edit = (change: object) =>
    request("EditPlace", by, { place, change }, (s, a) => s.places.edit(by, a.place, a.change), { id: "placeId" })
  return draw.weighted([
    [
      12,
      () =>
        createPlace(
          scene,
          organizationRef(scene),
          small(),
          draw.maybe(0.5, () => draw.pick(["Hall", "Cellar", ""]))
        )
    ],
    [
      3,
      () =>
        edit({
          name: draw.pick([null, "Hall", "Attic"]),
          organizationId: draw.maybe(0.3, () => organizationRef(scene))
        })
    ],
    [4, () => edit({ trackingArea: small() })],
    [3, () => removePlace(scene, place)]
  ])
}

export const listPlaces = (
  by: ReturnType<typeof someUser> | ReturnType<typeof someAdministrator>,
  organization: ReturnType<typeof organizationRef>
) =>
  request(
    "ListPlaces",
    by,
    { organization },
    (s, a) =>
      allPages(
        (after?: PlaceId) =>
          s.places.list(by, a.organization, after) as Effect.Effect<Page<Place>, { readonly _tag: string }>
      ),
    { id: "placeId" }
  )

/** Places that are created in one area while the area of the organization changes. */
export const areasAtOnce = (scene: Scene) => {
  const { draw, world } = scene
  const { ref } = draw.pick(world.organizations)
  const corner = () => draw.below(GRID - 3)
  const square = (left: number, bottom: number, side: number) =>
    textOfDrawing({ rectangle: { left, bottom, right: left + side, top: bottom + side }, form: "polygon" })
  const [left, bottom] = [corner(), corner()]
  const made = Array.from({ length: 2 + draw.below(2) }, () =>
    createPlace(scene, ref, square(left + draw.below(2), bottom + draw.below(2), 1 + draw.below(2)))
  )
  return draw.chance(0.6) ? [...made, editTrackingArea(scene, ref, square(0, 0, draw.pick([GRID - 3, GRID])))] : made
}

/** The reference model of places: their creation, changes, end and lists. */
import type { CreatePlace, EditPlace, ListPlaces, RemovePlace } from "../commands.ts"
import { rectangleInside, rectanglesOverlap } from "../../arbitraries/areas.ts"
import { MODEL_AREA_LIMITS, touch } from "../ground.ts"
import { done, listed, type Outcome, refused } from "../outcomes.ts"
import {
  type Drawn,
  findOrganization,
  findPlace,
  holds,
  mark,
  type ModelOrganization,
  type ModelPlace,
  openAt,
  replace,
  withGone,
  type World
} from "../World.ts"
import { addNews, tellAt, tellDueOf } from "./feed.ts"
import { keepEnding } from "./musters.ts"
import { drawn } from "./organizations.ts"

/** A place as it is answered: without a name of its own it is called by its id. */
const answer = (organization: ModelOrganization, { label, title, area }: ModelPlace) => ({
  place: label,
  organization: organization.label,
  title: title ?? `Place ${label}`,
  area: area.text
})

const faultsOf = (
  world: World,
  { rectangle }: Drawn,
  organization: ModelOrganization,
  others: ReadonlyArray<ModelPlace>
) => {
  const faults: Array<string> = []
  if (!rectangleInside(organization.area.rectangle, rectangle)) faults.push("PlaceOutsideOrganization")
  if (others.some((other) => rectanglesOverlap(rectangle, other.area.rectangle))) faults.push("PlacesOverlap")
  mark(world, ...faults.map((fault) => `place refused: ${fault}`))
  if (faults.length === 0 && others.some((other) => touch(rectangle, other.area.rectangle))) {
    mark(world, "places that share a border")
  }
  return faults
}

export const createPlace = (world: World, { by, organization: label, place, title, drawing }: CreatePlace): Outcome => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  if (!holds(organization, by, "manager")) return refused("PermissionTooLow")
  const area = drawn(drawing)
  if (area === undefined) return refused("TrackingAreaMalformed")
  const faults = faultsOf(world, area, organization, organization.places)
  if (organization.places.length >= MODEL_AREA_LIMITS.places) {
    faults.push("TooManyPlaces")
    mark(world, "place refused: TooManyPlaces")
  }
  if (faults.length > 0) return refused(...faults)
  const made = { label: place, title, area, created: world.now }
  addNews(world, organization.label, { type: "place", premises: `place ${place}`, became: "created" })
  replace(world, { ...organization, places: [...organization.places, made] })
  return done(answer(organization, made))
}

export const editPlace = (world: World, command: EditPlace): Outcome => {
  const found = findPlace(world, command.place)
  if (found === undefined) return refused("PlaceNotFound")
  const { organization, place } = found
  if (!holds(organization, command.by, "manager")) return refused("PermissionTooLow")
  const area = command.drawing === undefined ? place.area : drawn(command.drawing)
  const others = organization.places.filter((other) => other !== place)
  const faults: Array<string> = []
  if (command.organization !== undefined && command.organization !== organization.label) {
    faults.push("PlaceStaysInOrganization")
  }
  if (area === undefined) faults.push("TrackingAreaMalformed")
  else faults.push(...faultsOf(world, area, organization, others))
  if (faults.length > 0 || area === undefined) return refused(...faults)
  const title = command.title === undefined ? place.title : (command.title ?? undefined)
  const isOther = title !== place.title || area.text !== place.area.text
  const changed = { ...place, area, title }
  if (isOther)
    addNews(world, organization.label, { type: "place", premises: `place ${place.label}`, became: "updated" })
  replace(world, { ...organization, places: organization.places.map((other) => (other === place ? changed : other)) })
  return done(answer(organization, changed))
}

/** The open stays end with the place, and none of its stays is ever listed (spec: organizations#place-end). */
export const removePlace = (world: World, { by, place: label }: RemovePlace): Outcome => {
  const found = findPlace(world, label)
  if (found === undefined) return refused("PlaceNotFound")
  const { organization, place } = found
  if (!holds(organization, by, "manager")) return refused("PermissionTooLow")
  if (openAt(world, { place: label }).length > 0) mark(world, "stays ended with their place")
  keepEnding(world, ({ at }) => at === `place ${label}`)
  world.stays = withGone(world, ({ at }) => at === `place ${label}`)
  tellDueOf(world, organization)
  tellAt(world, organization, { place: label })
  addNews(world, organization.label, { type: "place", premises: `place ${label}`, became: "deleted" })
  replace(world, { ...organization, places: organization.places.filter((other) => other !== place) })
  return done()
}

export const listPlaces = (world: World, { by, organization: label }: ListPlaces): Outcome => {
  const organization = findOrganization(world, label)
  if (by.kind === "administrator") {
    if (organization === undefined) return refused("PremisesNotFound")
    if (!holds(organization, by, "viewer")) return refused("PermissionTooLow")
  }
  return listed(organization?.places.map((place) => answer(organization, place)) ?? [])
}

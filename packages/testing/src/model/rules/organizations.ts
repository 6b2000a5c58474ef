/** The reference model of organizations: their creation, their changes and lists of them. */
import type {
  ConstrainArea,
  CreateOrganization,
  EditOrganization,
  EditTrackingArea,
  ListOrganizations,
  ReadOrganization
} from "../commands.ts"
import { rectangleInside } from "../../arbitraries/areas.ts"
import { cellsOf, type Drawing, textOfDrawing } from "../ground.ts"
import { done, listed, type Outcome, refused, sameJson } from "../outcomes.ts"
import {
  type Drawn,
  findOrganization,
  holds,
  mark,
  type ModelOrganization,
  openAt,
  replace,
  type World
} from "../World.ts"
import { addNews } from "./feed.ts"
import { name, vouch } from "./permissions.ts"

/** A drawing that is an area. */
export const drawn = (drawing: Drawing): Drawn | undefined =>
  "nonsense" in drawing ? undefined : { text: textOfDrawing(drawing), rectangle: drawing.rectangle }

/** An organization as it is answered. */
export const answerOrganization = (organization: ModelOrganization) => {
  const { label, title, description, mode, server, area, created, changed } = organization
  return { organization: label, title, description, mode, server, area: area.text, created, changed }
}

export const createOrganization = (world: World, command: CreateOrganization): Outcome => {
  const { organization: label, title, mode, server, drawing, owner, cells } = command
  const area = drawn(drawing)
  const faults: Array<string> = []
  if (area === undefined) faults.push("TrackingAreaMalformed")
  if (server === "malformed") faults.push("AuthenticationServerRefused")
  if (mode === "authenticated" && server === undefined) faults.push("AuthenticationServerMissing")
  if (area !== undefined && cells !== undefined && cellsOf(area.rectangle) > cells) faults.push("TrackingAreaTooLarge")
  if (world.organizations.some((other) => other.title === title)) faults.push("OrganizationNameTaken")
  const { accounts, organizations, proofs } = world
  if (!vouch(world, owner.administrator, owner.mail)) faults.push("AdministratorsDiffer")
  if (faults.length > 0 || area === undefined) {
    world.accounts = accounts
    world.organizations = organizations
    world.proofs = proofs
    return refused(...faults)
  }
  const { administrator } = owner
  const organization: ModelOrganization = {
    label,
    title,
    description: undefined,
    mode,
    server,
    area,
    cells,
    created: world.now,
    changed: world.now,
    permissions: [{ administrator, level: "owner", nominatedBy: administrator }],
    links: [],
    places: []
  }
  world.organizations = [...world.organizations, organization]
  name(world, { organization: label, administrator })
  return done(answerOrganization(organization))
}

type Edit = Omit<EditOrganization, "_tag" | "by" | "organization">

const isCrowded = (world: World, { label, places }: ModelOrganization): boolean =>
  openAt(world, { organization: label }).length > 0 ||
  places.some((place) => openAt(world, { place: place.label }).length > 0)

/** Fields that are present count, and change what is asked alone (spec: organizations#partial-update). */
const edited = (world: World, before: ModelOrganization, edit: Edit): Outcome => {
  const area = edit.drawing === undefined ? before.area : drawn(edit.drawing)
  const server = edit.server === undefined ? before.server : (edit.server ?? undefined)
  const description = edit.description === undefined ? before.description : (edit.description ?? undefined)
  const { title = before.title, mode = before.mode } = edit
  const faults: Array<string> = []
  if (area === undefined) faults.push("TrackingAreaMalformed")
  if (edit.server === "malformed") faults.push("AuthenticationServerRefused")
  if (mode === "authenticated" && server === undefined) faults.push("AuthenticationServerMissing")
  if (world.organizations.some((other) => other.label !== before.label && other.title === title)) {
    faults.push("OrganizationNameTaken")
  }
  if (area !== undefined && area.text !== before.area.text) {
    if (before.cells !== undefined && cellsOf(area.rectangle) > before.cells) faults.push("TrackingAreaTooLarge")
    if (before.places.some((place) => !rectangleInside(area.rectangle, place.area.rectangle))) {
      faults.push("PlaceOutsideOrganization")
    }
  }
  mark(world, ...faults.map((fault) => `organization refused: ${fault}`))
  if (faults.length > 0 || area === undefined) return refused(...faults)
  const after: ModelOrganization = { ...before, title, mode, description, server, area }
  if (sameJson(before, after)) {
    mark(world, "edit that changes nothing")
    return done(answerOrganization(before))
  }
  if (mode !== before.mode && isCrowded(world, before)) mark(world, "mode change with people inside")
  const changed = { ...after, changed: world.now }
  replace(world, changed)
  addNews(world, changed.label, { type: "organization", became: "updated" })
  return done(answerOrganization(changed))
}

const edit = (
  world: World,
  { by, organization: label }: EditOrganization | EditTrackingArea,
  level: "manager" | "owner",
  fields: Edit
) => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  if (!holds(organization, by, level)) return refused("PermissionTooLow")
  return edited(world, organization, fields)
}

export const editOrganization = (world: World, command: EditOrganization): Outcome =>
  edit(world, command, "owner", command)

export const editTrackingArea = (world: World, command: EditTrackingArea): Outcome =>
  edit(world, command, "manager", { drawing: command.drawing })

export const constrainArea = (world: World, { organization: label, cells: asked }: ConstrainArea): Outcome => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  const cells = asked ?? undefined
  if (cells !== undefined && cellsOf(organization.area.rectangle) > cells) return refused("TrackingAreaTooLarge")
  if (cells !== organization.cells) addNews(world, organization.label, { type: "organization", became: "updated" })
  replace(world, { ...organization, cells })
  return done({ organization: label, cells })
}

export const readOrganization = (world: World, { by, organization: label }: ReadOrganization): Outcome => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  if (by.kind === "administrator" && !holds(organization, by, "viewer")) return refused("PermissionTooLow")
  return done(answerOrganization(organization))
}

export const listOrganizations = (world: World, _command: ListOrganizations): Outcome =>
  listed(world.organizations.map(answerOrganization))

/** Generates commands on organizations and places. */
import { type GridRectangle, wholeGrid } from "../../arbitraries/areas.ts"
import type { Request, RequestOf } from "../commands.ts"
import { type Drawing, GRID, MALFORMED } from "../grid.ts"
import {
  ADMINISTRATORS,
  MAILS,
  organizationLabel,
  organizationNamed,
  placeLabel,
  type Scene,
  someAdministrator,
  someOperator
} from "./subjects.ts"
import { option } from "../Random.ts"

const TITLES = ["Museum", "Works", "Library", "Harbour", "Station", "Market"]
const FORMS = ["polygon", "polygon", "feature", "older"] as const

/** A rectangle of so many cells to a side. */
const rectangle = ({ random }: Scene, smallest: number, largest: number): GridRectangle => {
  const side = () => smallest + random.below(largest - smallest + 1)
  const [width, height] = [side(), side()]
  const [left, bottom] = [random.below(GRID - width + 1), random.below(GRID - height + 1)]
  return { left, bottom, right: left + width, top: bottom + height }
}

const drawing = (scene: Scene, area: GridRectangle): Drawing =>
  scene.random.chance(0.08)
    ? { malformed: scene.random.pick(MALFORMED) }
    : { rectangle: area, form: scene.random.pick(FORMS) }

/** An organization's area: the whole grid, or most of it. */
const widely = (scene: Scene): Drawing =>
  drawing(scene, scene.random.chance(0.5) ? wholeGrid(GRID) : rectangle(scene, 5, GRID))

export const someNewOrganization = (scene: Scene): Request => {
  const { random, label } = scene
  const owner = random.pick(ADMINISTRATORS.slice(0, 4))
  const isKnown = random.chance(0.6)
  return {
    _tag: "CreateOrganization",
    by: someOperator(scene),
    organization: label,
    title: random.pick(TITLES),
    mode: isKnown ? "authenticated" : "anonymous",
    server: isKnown
      ? random.pick(["known", "known", "known", "known", "silent", "malformed", undefined])
      : random.maybe(0.7, () => "known"),
    drawing: widely(scene),
    owner: {
      administrator: owner.id,
      mail: random.chance(0.9) ? (owner.mail ?? "max@example.org") : random.pick(MAILS)
    },
    cells: random.maybe(0.7, () => random.pick([24, 40, 48, 64]))
  }
}

export const someOrganizationCommand = (scene: Scene): Request => {
  const { random } = scene
  const organization = organizationLabel(scene)
  const known = organizationNamed(scene, organization)
  const by = someAdministrator(scene, known, "owner")
  const edit = (fields: Partial<RequestOf<"EditOrganization">>): Request => ({
    _tag: "EditOrganization",
    by,
    organization,
    ...fields
  })
  return random.weighted<() => Request>([
    option(6, () => edit({ mode: known?.mode === "anonymous" ? "authenticated" : "anonymous" })),
    option(3, () => edit({ title: random.pick(TITLES) })),
    option(4, () => edit({ server: random.pick(["known", "known", "silent", "malformed", null]) })),
    option(2, () => edit({ description: random.pick([null, "", "open"]), server: "known" })),
    option(1, () => edit({})),
    option(5, () => edit({ drawing: widely(scene), title: random.maybe(0.3, () => random.pick(TITLES)) })),
    option(4, () => ({
      _tag: "EditTrackingArea",
      by: someAdministrator(scene, known, "manager"),
      organization,
      drawing: widely(scene)
    })),
    option(2, () => ({
      _tag: "ConstrainArea",
      by: someOperator(scene),
      organization,
      cells: random.pick([null, 30, 40, 48, 63, 64])
    })),
    option(1, () => someNewOrganization(scene))
  ])()
}

export const somePlaceCommand = (scene: Scene): Request => {
  const { random, label } = scene
  const place = placeLabel(scene)
  const home = scene.world.organizations.find((one) => one.places.some((other) => other.label === place))
  const by = someAdministrator(scene, home, "manager")
  const organization = organizationLabel(scene)
  const title = () => random.pick(["Hall", "Cellar", ""])
  return random.weighted<() => Request>([
    option(12, () => ({
      _tag: "CreatePlace",
      by: someAdministrator(scene, organizationNamed(scene, organization), "manager"),
      organization,
      place: label,
      title: random.maybe(0.5, title),
      drawing: drawing(scene, rectangle(scene, 1, 4))
    })),
    option(3, () => ({
      _tag: "EditPlace",
      by,
      place,
      title: random.pick([null, "Hall", "Attic"]),
      organization: random.maybe(0.3, () => organization)
    })),
    option(4, () => ({ _tag: "EditPlace", by, place, drawing: drawing(scene, rectangle(scene, 1, 4)) })),
    option(3, () => ({ _tag: "RemovePlace", by, place }))
  ])()
}

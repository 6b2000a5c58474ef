/** Callers, people and premises that requests are about. */
import {
  Administrator,
  type AdministratorId,
  type Mail,
  Operator,
  type OperatorId,
  type OrgAuthServerId,
  type OrganizationId,
  type PermissionLevel,
  type PlaceId,
  User,
  type UserId
} from "@sojourn/core"
import type { Draw } from "../Draw.ts"
import { type At, type OrganizationRef, type PlaceRef, Ref, type Request } from "../Request.ts"
import { everyPremises, holds, type KnownOrganization, openStays, organizationAt, type World } from "../World.ts"

/** What a command chooses by. */
export interface Scene {
  readonly draw: Draw
  readonly world: World
}
export type Make = (scene: Scene) => Request

/** A valid id that no service issues in a run. */
const NEVER_ISSUED = 9007199254740991n
export const NO_ORGANIZATION: OrganizationRef = new Ref("organizationId", NEVER_ISSUED as OrganizationId)
export const NO_PLACE: PlaceRef = new Ref("placeId", NEVER_ISSUED as PlaceId)
export const never = <Id>(kind: Ref<Id>["kind"]) => new Ref(kind, NEVER_ISSUED as Id)

export const USERS = ["ann", "bob", "cyn", "dan"].map((id) => User(id as UserId))

/** Two share a mail address, and one has none. */
export const ADMINISTRATORS = (
  [
    ["olga", "olga@example.org"],
    ["otto", "otto@example.org"],
    ["mia", "mia@example.org"],
    ["vic", "vic@example.org"],
    ["max"],
    ["eve", "OLGA@example.org"]
  ] as ReadonlyArray<readonly [id: string, mail?: string]>
).map(([id, mail]) => Administrator(id as AdministratorId, mail as Mail | undefined))

/** Mail addresses that no caller has from the start. */
export const UNKNOWN_MAILS = ["new@example.org", "pam@example.org", "Pam@Example.org", "sam@example.org"].map(
  (mail) => mail as Mail
)
export const MAILS = [
  ...ADMINISTRATORS.flatMap(({ mail }) => mail ?? []),
  "Vic@Example.org" as Mail,
  "max@example.org" as Mail,
  ...UNKNOWN_MAILS
]

/** Those of the authentication server, in the order in which it lists them; and one whom it does not know. */
export const PEOPLE = ["ada", "alan", "grace"].map((person) => person as OrgAuthServerId)
export const ANY_PERSON = [...PEOPLE, "mallory" as OrgAuthServerId]
export const administratorRef = (id: string) => new Ref("administratorId", id as AdministratorId)
export const ANY_ADMINISTRATOR = [...ADMINISTRATORS.map(({ administratorId }) => administratorId), "nil"].map(
  administratorRef
)
export const OPERATOR = Operator("opal" as OperatorId)

export const someUser = ({ draw }: Scene) => draw.pick(USERS)

/** An administrator with the level in four of five cases, sometimes one who proves an address that an owner wrote down. */
export const someAdministrator = (
  scene: Scene,
  organization: KnownOrganization | undefined,
  level: PermissionLevel
) => {
  const { draw } = scene
  if (draw.chance(0.03)) {
    return Administrator(draw.pick(["max", "pam", "pia"]) as AdministratorId, draw.pick(UNKNOWN_MAILS))
  }
  return draw.prefer(
    0.8,
    ADMINISTRATORS.filter((who) => holds(organization, who, level)),
    ADMINISTRATORS
  )
}

export const ownersOf = (organization: KnownOrganization | undefined) =>
  ADMINISTRATORS.filter((who) => holds(organization, who, "owner"))

export const ownerOf = (scene: Scene, organization: KnownOrganization | undefined) =>
  scene.draw.prefer(1, ownersOf(organization), ADMINISTRATORS)

export const someOrganization = ({ draw, world }: Scene): KnownOrganization => draw.pick(world.organizations)

/** An organization, sometimes one that is gone or never was. */
export const organizationRef = (scene: Scene): OrganizationRef =>
  scene.draw.chance(0.03)
    ? scene.draw.pick([NO_ORGANIZATION, ...scene.world.ended.organizations])
    : someOrganization(scene).ref

export const placeRef = ({ draw, world }: Scene): PlaceRef =>
  draw.prefer(
    0.95,
    world.organizations.flatMap(({ places }) => places),
    [NO_PLACE, ...world.ended.places]
  )

export const somePremises = (scene: Scene): At =>
  scene.draw.chance(0.5) ? { organization: organizationRef(scene) } : { place: placeRef(scene) }

/** Premises where people are, mostly. */
export const someCrowd = (scene: Scene): At => {
  const open = openStays(scene.world)
  return open.length > 0 && scene.draw.chance(0.85) ? scene.draw.pick(open).at : somePremises(scene)
}

export const within = ({ draw }: Scene, organization: KnownOrganization): At => draw.pick(everyPremises(organization))

/** A user, preferably one who is linked where people are known. */
export const userAt = (scene: Scene, organization: KnownOrganization | undefined) => {
  const linked = (organization?.links ?? []).map(({ userId }) => User(userId))
  return scene.draw.prefer(organization?.mode === "authenticated" ? 0.8 : 0, linked, USERS)
}

export const at = ({ world }: Scene, where: At) => organizationAt(world, where)
export const organizationOf = (scene: Scene, organization: OrganizationRef) => at(scene, { organization })

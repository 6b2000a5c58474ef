/** Generates commands on permissions and administrators' accounts. */
import type { PermissionLevel } from "@sojourn/core"
import type { Request } from "../commands.ts"
import { isInvitation } from "../Names.ts"
import type { ModelOrganization } from "../World.ts"
import {
  ANY_ADMINISTRATOR,
  ANY_PERSON,
  MAILS,
  organizationLabel,
  organizationNamed,
  type Scene,
  someAdministrator,
  someOperator,
  UNKNOWN_MAILS
} from "./subjects.ts"
import { option } from "../Random.ts"

const LEVELS: ReadonlyArray<PermissionLevel> = ["viewer", "manager", "owner", "owner"]

/** The administrator whom a change of permissions is about: mostly one who is bound. */
const subject = ({ random }: Scene, organization: ModelOrganization | undefined): string => {
  const bound = organization?.permissions.map((permission) => permission.administrator) ?? []
  return random.pick(bound.length > 0 && random.chance(0.75) ? bound : ANY_ADMINISTRATOR)
}

export const somePermissionCommand = (scene: Scene): Request => {
  const { random } = scene
  const organization = organizationLabel(scene)
  const known = organizationNamed(scene, organization)
  const by = someAdministrator(scene, known, "owner")
  const administrator = subject(scene, known)
  const level = random.pick(LEVELS)
  const person = random.maybe(0.2, () => random.pick(ANY_PERSON))
  const mail = () => random.pick(MAILS)
  const unproved = scene.world.unproved.flatMap((one) => (isInvitation(one.administrator) ? [] : one.mail))
  return random.weighted<() => Request>([
    option(8, () => ({
      _tag: "Bind",
      by,
      organization,
      level,
      person,
      administrator: random.pick(ANY_ADMINISTRATOR),
      mail: random.maybe(0.3, mail)
    })),
    option(4, () => ({
      _tag: "Bind",
      by,
      organization,
      level,
      mail: random.pick(unproved.length > 0 ? unproved : MAILS)
    })),
    option(2, () => ({ _tag: "Bind", by, organization, level, mail: mail() })),
    option(3, () => ({
      _tag: "Create",
      by,
      organization,
      level,
      person,
      mail: random.chance(0.5) ? random.pick(UNKNOWN_MAILS) : mail(),
      administrator: random.maybe(0.6, () => random.pick(["max", "nil", "new", "neo", "nan"]))
    })),
    option(5, () => ({ _tag: "Unbind", by, organization, administrator })),
    option(6, () => ({
      _tag: "ChangeLevel",
      by,
      organization,
      administrator,
      level,
      mail: random.maybe(0.15, mail),
      person: random.maybe(0.1, () => random.pick(ANY_PERSON)),
      nominatedBy: random.maybe(0.15, () => random.pick(ANY_ADMINISTRATOR))
    })),
    option(1, () => ({ _tag: "Register", by: someOperator(scene), administrator, mail: mail() }))
  ])()
}

export const someDeletionCommand = (scene: Scene): Request => {
  const { random, world } = scene
  const organization = organizationLabel(scene)
  const known = organizationNamed(scene, organization)
  const pending = world.requests.filter((request) => request.status === "pending")
  const about = pending.length > 0 && random.chance(0.8) ? random.pick(pending).organization : organization
  const nth = Math.max(
    0,
    world.requests.filter((request) => request.organization === about).length - 1 + random.pick([0, 0, 0, 1, -1])
  )
  return random.weighted<() => Request>([
    option(6, () => ({
      _tag: "RequestDeletion",
      by: someAdministrator(scene, known, "owner"),
      organization,
      reason: random.maybe(0.5, () => "closed for good"),
      administrator: random.maybe(0.2, () => random.pick(ANY_ADMINISTRATOR))
    })),
    option(2, () => ({ _tag: "Decide", by: someOperator(scene), organization: about, nth, verdict: "approved" })),
    option(4, () => ({ _tag: "Decide", by: someOperator(scene), organization: about, nth, verdict: "rejected" }))
  ])()
}

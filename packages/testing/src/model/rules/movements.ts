/** The reference model of movements: entrances, exits and repeated requests. */
import type { Enter, Leave } from "../commands.ts"
import { done, type Outcome, refused } from "../outcomes.ts"
import {
  isOpen,
  linkedPerson,
  mark,
  type ModelStay,
  organizationAt,
  premisesName,
  stayOfToken,
  type World
} from "../World.ts"

const FIVE_MINUTES = 5 * 60 * 1000
const A_DAY = 24 * 60 * 60 * 1000

const userOf = ({ by }: Enter | Leave): string => (by.kind === "user" ? by.id : "")

const isAhead = (world: World, time: number | undefined): boolean =>
  time !== undefined && time > world.now + FIVE_MINUTES

const openStay = (world: World, opened: Omit<ModelStay, "exit" | "gone" | "recorded" | "ended">): number => {
  world.stays = [...world.stays, { ...opened, exit: undefined, recorded: world.now, gone: false }]
  return world.stays.length - 1
}

/** The stay that the entrance's key stands for, while it does. */
const retried = (world: World, { key, at }: Enter, user: string): number | undefined => {
  if (key === undefined) return undefined
  const uses = world.keys.filter((use) => use.user === user && use.at === premisesName(at) && use.key === key)
  const valid = uses.find((use) => world.now - use.since < A_DAY)
  if (valid !== undefined) {
    const stay = world.stays[valid.stay]
    mark(
      world,
      stay?.isAbandoned === true
        ? "retry key of an abandoned stay answered"
        : stay?.exit === undefined
          ? "retry key answered"
          : "retry key answered after its exit"
    )
  } else if (uses.length > 0) mark(world, "retry key expired")
  return valid?.stay
}

/** An entrance (spec: stays#movements). */
export const enter = (world: World, command: Enter): Outcome => {
  const organization = organizationAt(world, command.at)
  if (organization === undefined) return refused("PremisesNotFound")
  const user = userOf(command)
  const linked = linkedPerson(organization, user)
  const isAuthenticated = organization.mode === "authenticated"
  if (isAuthenticated && linked === undefined) {
    mark(world, "entrance without a link refused")
    return refused("NotLinked")
  }
  if (isAuthenticated && command.person !== undefined && command.person !== linked) {
    mark(world, "entrance as another refused")
    return refused("IdentityNotOwn")
  }
  if (isAhead(world, command.time)) {
    mark(world, "entrance in the future refused")
    return refused("TimestampInFuture")
  }
  const person = isAuthenticated ? linked : undefined
  const at = premisesName(command.at)
  let stay = retried(world, command, user)
  if (stay === undefined) {
    const inside = world.stays.findIndex(
      (one) => one.at === at && one.person !== undefined && one.person === person && isOpen(one)
    )
    if (inside >= 0) mark(world, "entrance repeated by a person inside")
    if (inside < 0 && (command.time ?? 0) > world.now) mark(world, "entrance ahead of the clock accepted")
    const entrance = command.time ?? world.now
    stay = inside >= 0 ? inside : openStay(world, { at, organization: organization.label, person, entrance })
    if (command.key !== undefined) {
      const others = world.keys.filter((use) => !(use.user === user && use.at === at && use.key === command.key))
      world.keys = [...others, { user, at, key: command.key, since: world.now, stay }]
    }
  }
  world.entrances = new Map([...world.entrances, [command.stay, stay]])
  const { entrance, person: whose } = world.stays[stay] as ModelStay
  return done({ time: entrance, person: whose }, [stay])
}

/** An exit (spec: stays#exit-once). */
export const leave = (world: World, command: Leave): Outcome => {
  const organization = organizationAt(world, command.at)
  const found = stayOfToken(world, command.token)
  const stay = found === undefined ? undefined : world.stays[found]
  if (organization === undefined) {
    if (stay?.gone === true) mark(world, "exit from where all has ended refused")
    return refused("PremisesNotFound", "ExitNotMatched")
  }
  const linked = linkedPerson(organization, userOf(command))
  const isAuthenticated = organization.mode === "authenticated"
  const claimsAnother = (own: string | undefined) =>
    isAuthenticated && command.person !== undefined && own !== undefined && command.person !== own
  if (found === undefined || stay === undefined || stay.gone || stay.at !== premisesName(command.at)) {
    if (stay?.isAbandoned === true) mark(world, "exit from an abandoned stay refused")
    else mark(world, found === undefined ? "forged token refused" : "token of other premises refused")
    // Authority comes before the rule (spec: stays#identity-before-token): a false claim of a person is refused before an invalid token.
    return refused(claimsAnother(linked) ? "IdentityNotOwn" : "ExitNotMatched")
  }
  if (claimsAnother(linked ?? stay.person)) {
    mark(world, "exit as another refused")
    return refused("IdentityNotOwn")
  }
  if (stay.person !== undefined && linked !== undefined && stay.person !== linked) {
    mark(world, "exit by somebody else refused")
    return refused("ExitNotMatched")
  }
  if (stay.exit !== undefined) {
    const isSame = command.time === undefined || command.time === stay.exit
    mark(world, isSame ? "exit sent again" : "exit at another time refused")
    return isSame ? done({ time: stay.exit, person: stay.person }, [found]) : refused("ExitNotMatched")
  }
  if (isAhead(world, command.time)) {
    mark(world, "exit in the future refused")
    return refused("TimestampInFuture")
  }
  const exit = command.time ?? Math.max(world.now, stay.entrance)
  if (exit < stay.entrance) {
    mark(world, "exit before its entrance refused")
    return refused("ExitBeforeEntrance")
  }
  if (exit === stay.entrance) mark(world, "exit at the instant of its entrance")
  if (stay.person === undefined && isAuthenticated) mark(world, "anonymous token after a change of mode")
  if (stay.person !== undefined && linked === undefined) mark(world, "exit after unlinking")
  world.stays = world.stays.map((one, index) => (index === found ? { ...one, exit, ended: world.now } : one))
  return done({ time: exit, person: stay.person }, [found])
}

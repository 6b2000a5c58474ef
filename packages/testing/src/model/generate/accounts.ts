/** Permissions, administrators' accounts, deletion requests and erasures. */
import {
  type AdministratorId,
  AdministratorSubject,
  type DeletionRequest,
  type DeletionRequestId,
  MailSubject,
  OperatorSubject,
  type PermissionLevel,
  PersonSubject,
  UserSubject
} from "@sojourn/core"
import { Effect, Option } from "effect"
import { type OrganizationRef, pick, type Ref, request, type Request } from "../Request.ts"
import {
  ADMINISTRATORS,
  administratorRef,
  ANY_ADMINISTRATOR,
  ANY_PERSON,
  MAILS,
  type Make,
  OPERATOR,
  organizationOf,
  organizationRef,
  ownersOf,
  type Scene,
  someAdministrator,
  someOrganization,
  UNKNOWN_MAILS,
  USERS
} from "./subjects.ts"

const LEVELS: ReadonlyArray<PermissionLevel> = ["viewer", "manager", "owner", "owner"]

type Who = (typeof ADMINISTRATORS)[number]

const unbind = (by: Who, organizationId: OrganizationRef, administratorId: Ref<AdministratorId>) =>
  request("Unbind", by, { organizationId, administratorId }, (s, a) => Effect.asVoid(s.administrators.unbind(by, a)))

const changeLevel = (
  by: Who,
  organization: OrganizationRef,
  update: { administratorId: Ref<AdministratorId>; level: PermissionLevel }
) =>
  request("ChangeLevel", by, { organization, update }, (s, a) =>
    s.administrators.changeLevel(by, a.organization, a.update)
  )

export const somePermissionCommand: Make = (scene) => {
  const { draw } = scene
  const organizationId = organizationRef(scene)
  const known = organizationOf(scene, organizationId)
  const by = someAdministrator(scene, known, "owner")
  const bound = draw.prefer(
    0.75,
    (known?.permissions ?? []).map(({ administrator }) => administrator),
    ANY_ADMINISTRATOR
  )
  const level = draw.pick(LEVELS)
  const orgAuthServerId = draw.maybe(0.2, () => draw.pick(ANY_PERSON))
  const mail = () => draw.pick(MAILS)
  const bind = (administrator: object) =>
    request("Bind", by, { organizationId, level, orgAuthServerId, administrator }, (s, a) =>
      s.administrators.bind(by, a as never)
    )
  return draw.weighted<Request>([
    [8, () => bind({ administratorId: draw.pick(ANY_ADMINISTRATOR), mail: draw.maybe(0.3, mail) })],
    [6, () => bind({ mail: draw.prefer(0.5, UNKNOWN_MAILS, MAILS) })],
    [
      3,
      () => {
        const administrator = {
          administratorId: draw.maybe(0.6, () => administratorRef(draw.pick(["max", "nil", "new", "neo", "nan"]))),
          mail: draw.prefer(0.5, UNKNOWN_MAILS, MAILS)
        }
        return request("Create", by, { organizationId, level, orgAuthServerId, administrator }, (s, a) =>
          s.administrators.create(by, a)
        )
      }
    ],
    [5, () => unbind(by, organizationId, bound)],
    [
      6,
      () =>
        changeLevel(by, organizationId, {
          administratorId: bound,
          level,
          ...(draw.chance(0.15) && { mail: mail() }),
          ...(draw.chance(0.1) && { orgAuthServerId: draw.pick(ANY_PERSON) }),
          ...(draw.chance(0.15) && { nominatedBy: draw.pick(ANY_ADMINISTRATOR) })
        })
    ],
    [
      1,
      () =>
        request("Register", OPERATOR, { administratorId: bound, mail: mail() }, (s, a) =>
          pick(s.administrators.register(OPERATOR, a), ["administratorId", "mail"])
        )
    ]
  ])
}

/** Decides the last request of an organization, or sometimes the one before it. */
export const decide = (scene: Scene, organization: OrganizationRef, verdict: "approve" | "reject") => {
  const back = scene.draw.pick([1, 1, 1, 2])
  return request("Decide", OPERATOR, { organization, verdict, back }, (s, a) =>
    Effect.flatMap(s.deletionRequests.list(OPERATOR, Option.none()), (all) => {
      const own = (all as ReadonlyArray<DeletionRequest>).filter(
        ({ organizationId }) => organizationId === a.organization
      )
      return Effect.asVoid(
        s.deletionRequests[verdict](OPERATOR, own.at(-back)?.id ?? (9007199254740991n as DeletionRequestId))
      )
    })
  )
}

export const someDeletionCommand: Make = (scene) => {
  const { draw, world } = scene
  const organizationId = organizationRef(scene)
  const by = someAdministrator(scene, organizationOf(scene, organizationId), "owner")
  const ending = world.organizations.filter(({ isEnding }) => isEnding).map(({ ref }) => ref)
  const draft = {
    organizationId,
    reason: draw.maybe(0.5, () => "closed for good"),
    administratorId: draw.maybe(0.2, () => draw.pick(ANY_ADMINISTRATOR))
  }
  return draw.weighted<Request>([
    [6, () => request("RequestDeletion", by, draft, (s, a) => Effect.asVoid(s.deletionRequests.request(by, a)))],
    [2, () => decide(scene, draw.prefer(0.8, ending, [organizationId]), "approve")],
    [4, () => decide(scene, draw.prefer(0.8, ending, [organizationId]), "reject")]
  ])
}

export const erase = (subject: object) =>
  request("Erase", OPERATOR, { subject }, (s, a) => s.personalData.erase(OPERATOR, a.subject as never))

export const someErasure: Make = (scene) => {
  const { draw, world } = scene
  const linked = world.organizations.flatMap(({ links }) => links.map(({ userId }) => userId))
  return erase(
    draw.weighted<object>([
      [
        8,
        () =>
          UserSubject(
            draw.prefer(
              1,
              linked,
              USERS.map(({ userId }) => userId)
            )
          )
      ],
      [6, () => PersonSubject(organizationRef(scene) as never, draw.pick(ANY_PERSON))],
      [5, () => AdministratorSubject(draw.pick(ANY_ADMINISTRATOR) as never)],
      [2, () => MailSubject(draw.pick(MAILS))],
      [1, () => OperatorSubject(OPERATOR.operatorId)]
    ])
  )
}

/** Owners who remove, demote, appoint and erase each other. */
export const ownersAtOnce = (scene: Scene): ReadonlyArray<Request> => {
  const { draw, world } = scene
  const crowded = world.organizations.filter((one) => ownersOf(one).length > 1)
  const organization = crowded.length > 0 ? draw.pick(crowded) : someOrganization(scene)
  const owners = ownersOf(organization)
  if (owners.length < 2) return Array.from({ length: 2 }, () => somePermissionCommand(scene))
  const isResignation = draw.chance(0.25)
  return Array.from({ length: 2 + draw.below(3) }, (_, nth) => {
    const by = isResignation ? owners[0]! : draw.pick(owners)
    if (isResignation && nth > 0)
      return erase(AdministratorSubject(administratorRef(draw.pick(owners.slice(1)).administratorId) as never))
    const other = administratorRef(
      isResignation ? by.administratorId : draw.pick(owners.filter((one) => one !== by)).administratorId
    )
    return draw.chance(0.6)
      ? unbind(by, organization.ref, other)
      : changeLevel(by, organization.ref, { administratorId: other, level: draw.pick(["viewer", "manager", "owner"]) })
  })
}

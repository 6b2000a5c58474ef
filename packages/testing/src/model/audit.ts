/** What is read of both services to compare their states: everything, or what a step may have changed. */
import type { PremisesRef, Command, Request, Caller } from "./commands.ts"
import { tokenOf } from "./generate/stays.ts"
import { ADMINISTRATORS, ANY_PERSON, OPERATOR, userNamed, USERS } from "./generate/subjects.ts"
import { isInvitation } from "./Names.ts"
import { BEGINNING, everyPremises, holds, organizationAt, premisesName, type World } from "./World.ts"

type Tags = ReadonlyArray<Command["_tag"]>
type Requests = ReadonlyArray<Request>

const ANY_USER = userNamed(USERS[0])

/** An administrator who may read everything of the premises. */
const ownerAt = (world: World, at: PremisesRef): Caller => {
  const organization = organizationAt(world, at)
  const bound = (organization?.permissions ?? []).flatMap(({ administrator: id }): ReadonlyArray<Caller> =>
    isInvitation(id) ? [] : [{ kind: "administrator", id }]
  )
  const isOwner = (who: Caller) => organization !== undefined && holds(organization, who, "owner")
  return [...ADMINISTRATORS, ...bound].find(isOwner) ?? ADMINISTRATORS[0]!
}

const membersOf = (command: Command): ReadonlyArray<Command> => (command._tag === "Race" ? command.members : [command])

/** The premises that a command may have changed, those of its organization among them. */
const premisesTouchedBy = (world: World, command: Command): ReadonlyArray<PremisesRef> => {
  if (command._tag === "Race") return command.members.flatMap((member) => premisesTouchedBy(world, member))
  // Both end stays anywhere.
  if (command._tag === "Sweep" || command._tag === "Erase") return everyPremises(world)
  const own: ReadonlyArray<PremisesRef> =
    "place" in command ? [{ place: command.place }] : "at" in command ? [command.at] : []
  const muster = "muster" in command ? world.musters.find(({ label }) => label === command.muster) : undefined
  const named = "organization" in command ? command.organization : muster?.organization
  const owners = [
    ...own.flatMap((at) => organizationAt(world, at)?.label ?? []),
    ...(named === undefined ? [] : [named])
  ]
  return [...own, ...owners.map((organization) => ({ organization }))]
}

const inEach = (
  world: World,
  read: (organization: string, by: Caller) => Requests,
  labels?: ReadonlyArray<string>
): Requests =>
  (labels ?? world.organizations.map(({ label }) => label)).flatMap((organization) =>
    read(organization, ownerAt(world, { organization }))
  )

const counter = (world: World, at: PremisesRef): Request => ({ _tag: "ReadCounter", by: ownerAt(world, at), at })
const feeds = (world: World) => inEach(world, (organization, by) => [{ _tag: "ReadFeed", by, organization }])
const webhooks = (world: World) => inEach(world, (organization, by) => [{ _tag: "ListWebhooks", by, organization }])
const capacities = (world: World, some: ReadonlyArray<PremisesRef>): Requests =>
  some.map((at) => ({ _tag: "ReadCapacity", by: ownerAt(world, at), at }))

const musters = (world: World, isAsked: (muster: World["musters"][number]) => boolean): Requests =>
  world.musters
    .filter(isAsked)
    .map(({ label: muster, organization }) => ({ _tag: "ReadMuster", by: ownerAt(world, { organization }), muster }))

/** Reads every muster of some organizations. */
const mustersOf = (world: World, organizations: ReadonlyArray<string>): Requests => [
  ...musters(world, ({ organization }) => organizations.includes(organization)),
  ...inEach(world, (organization, by) => [{ _tag: "ListMusters", by, organization }], organizations)
]

/** Reads what a step may have changed: counters, the musters that go on, and feeds, of which only what follows is read. */
export const touchedBy = (world: World, command: Command): Requests => {
  const touched = new Map(premisesTouchedBy(world, command).map((at) => [premisesName(at), at] as const))
  const has = (...tags: Tags) => membersOf(command).some(({ _tag }) => tags.includes(_tag))
  return [
    ...[...touched.values()].map((at) => counter(world, at)),
    ...(has("Publish", "SetCapacity", "CreateOrganization") ? feeds(world) : []),
    ...(touched.size > 0 ? musters(world, ({ isOpen }) => isOpen) : [])
  ]
}

/** What adds events to feeds. */
const EVENTFUL: Tags = [
  "Publish",
  "SetCapacity",
  "EditOrganization",
  "EditTrackingArea",
  "ConstrainArea",
  "CreatePlace",
  "EditPlace",
  "RemovePlace",
  "StartMuster",
  "MarkSafe",
  "EndMuster",
  "Erase"
]

/** The persons that users are linked to, which only their own accesses show. */
const linksOf = (organizations: ReadonlyArray<string>, users: ReadonlyArray<string>): Requests =>
  users.flatMap((user) =>
    organizations.flatMap((organization) =>
      ANY_PERSON.map((person): Request => {
        return { _tag: "ReadAccessesOfPeople", by: userNamed(user), at: { organization }, people: [person] }
      })
    )
  )

/**
 * Merges states that no reading distinguishes. Whether people came in before a muster began is seen only when they are erased:
 * they are marked. With which event a webhook begins is seen by its deliveries, which no caller of the wire can ask for.
 */
const settled = (world: World, members: Requests, wire: boolean): Requests => {
  const people = members.flatMap((member) => {
    const stay = member._tag === "Enter" ? world.stays[world.entrances.get(member.stay) ?? -1] : undefined
    return stay?.person === undefined ? [] : [stay.person]
  })
  const [first, ...others] = new Set(people)
  const begun = members.flatMap((member) => (member._tag === "StartMuster" ? [member.muster] : []))
  const isBegun = ({ label, mode }: World["musters"][number]) => begun.includes(label) && mode === "authenticated"
  return [
    ...(first === undefined ? [] : world.musters.filter(isBegun)).map(({ label: muster, organization }): Request => {
      return { _tag: "MarkSafe", by: ownerAt(world, { organization }), muster, marked: [first!, ...others] }
    }),
    ...(members.some(({ _tag }) => _tag === "CreateWebhook") && !wire
      ? [{ _tag: "Deliver", by: OPERATOR, server: "one", outcome: "delivered" } as const]
      : [])
  ]
}

/** Reads what requests of one moment may have left in more than one way. `world` is one that they may have led to. */
export const tracesOf = (world: World, members: Requests, wire: boolean): Requests => {
  const has = (...tags: Tags) => members.some(({ _tag }) => tags.includes(_tag))
  const touched = members.flatMap((member) => premisesTouchedBy(world, member))
  const organizations = [...new Set(touched.flatMap((at) => ("organization" in at ? [at.organization] : [])))]
  const each = (read: (organization: string, by: Caller) => Request) =>
    inEach(world, (organization, by) => [read(organization, by)], organizations)
  const linkers = members.flatMap(({ _tag, by }) =>
    (_tag === "Link" || _tag === "Unlink") && by.kind === "user" ? [by.id] : []
  )
  return [
    ...(has(...EVENTFUL) ? feeds(world) : []),
    ...capacities(
      world,
      members.flatMap((member) => (member._tag === "SetCapacity" ? [member.at] : []))
    ),
    ...(has("CreateWebhook") ? webhooks(world) : []),
    ...(has("StartMuster", "MarkSafe", "EndMuster") ? mustersOf(world, organizations) : []),
    ...(has("EditOrganization", "EditTrackingArea", "Decide")
      ? each((organization) => ({ _tag: "ReadOrganization", by: ANY_USER, organization }))
      : []),
    ...(has("CreatePlace", "EditPlace", "RemovePlace")
      ? each((organization) => ({ _tag: "ListPlaces", by: ANY_USER, organization }))
      : []),
    ...(has("Bind", "Create", "Unbind", "ChangeLevel")
      ? each((organization, by) => ({ _tag: "ListPermissions", by, organization }))
      : []),
    ...linksOf(organizations, [...new Set(linkers)]),
    ...(has("RequestDeletion", "Decide") ? [{ _tag: "ListDeletionRequests", by: OPERATOR } as const] : []),
    ...settled(world, members, wire)
  ]
}

/** Publishes what is recorded and due, and reads every feed, capacity and webhook, and every muster and list of who is inside. */
export const everyFeed = (world: World): Requests => [
  ...webhooks(world),
  ...capacities(world, everyPremises(world)),
  ...feeds(world),
  { _tag: "Publish", by: OPERATOR },
  ...feeds(world),
  ...capacities(world, everyPremises(world)),
  ...mustersOf(
    world,
    world.organizations.map(({ label }) => label)
  ),
  ...everyPremises(world).map((at): Request => ({ _tag: "ListInside", by: ownerAt(world, at), at }))
]

/** Reads what histories hold of the last minutes and of all days. */
export const everyHistory = (world: World): Requests =>
  everyPremises(world).flatMap((at) => {
    const of = { _tag: "ReadHistory", by: ownerAt(world, at), at, to: world.now + 1 } as const
    return [
      { ...of, step: "minute", from: world.now - 15 * 60_000 },
      { ...of, step: "day", from: BEGINNING }
    ] as const
  })

/** How many tokens a list may ask for. */
const MAX_TOKENS = 100

/** Reads everything else that can be read. */
export const everything = (world: World): Requests => {
  const ofPremises = everyPremises(world).flatMap((at): Requests => {
    const by = ownerAt(world, at)
    const there = world.stays.flatMap((stay, number) => (stay.at === premisesName(at) ? [tokenOf(world, number)] : []))
    const tokens = there.slice(-MAX_TOKENS)
    return [
      counter(world, at),
      { _tag: "ReadAccessesOfPeople", by, at, people: ANY_PERSON },
      ...(tokens.length === 0 ? [] : [{ _tag: "ReadAccessesByToken", by: ANY_USER, at, tokens } as const]),
      ...("place" in at ? [{ _tag: "ReadReport", by, place: at.place } as const] : [])
    ]
  })
  return [
    { _tag: "ListOrganizations", by: ANY_USER },
    ...inEach(world, (organization, by) => [
      { _tag: "ListPermissions", by, organization },
      { _tag: "ListPlaces", by, organization }
    ]),
    ...ofPremises,
    ...ADMINISTRATORS.map((by): Request => ({ _tag: "ListOwnPermissions", by, administrator: by.id })),
    ...USERS.map((name): Request => ({ _tag: "ListFavorites", by: userNamed(name), user: name })),
    { _tag: "ListDeletionRequests", by: OPERATOR }
  ]
}

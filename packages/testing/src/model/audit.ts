/** What is read of a service to compare its state with the model's: everything, or what a step may have changed. */
import type { At, Command, Request, Who } from "./commands.ts"
import { tokenOf } from "./generate/movements.ts"
import { ADMINISTRATORS, ANY_PERSON, OPERATOR, userNamed, USERS } from "./generate/subjects.ts"
import { premisesIn } from "./rules/feed.ts"
import { findPlace, holds, organizationAt, premisesName, type World, BEGINNING } from "./World.ts"

/** An administrator who may read everything of the premises, if one can sign in: for an invitation nobody can. */
const ownerAt = (world: World, at: At): Who => {
  const organization = organizationAt(world, at)
  const known = world.accounts.flatMap(({ administrator: id, isInvitation }): ReadonlyArray<Who> =>
    isInvitation === true ? [] : [{ kind: "administrator", id }]
  )
  const isOwner = (who: Who) => organization !== undefined && holds(organization, who, "owner")
  return [...ADMINISTRATORS, ...known].find(isOwner) ?? (ADMINISTRATORS[0] as Who)
}

const counter = (world: World, at: At): Request => ({ _tag: "ReadCounter", by: ownerAt(world, at), at })

const premisesTouchedBy = (world: World, command: Command): ReadonlyArray<At> => {
  if (command._tag === "Race") return command.members.flatMap((member) => premisesTouchedBy(world, member))
  if (command._tag === "AdvanceClock" || command._tag === "Tell") return []
  // Both end stays anywhere.
  if (command._tag === "Sweep" || command._tag === "Erase") return everyPremises(world)
  const places: ReadonlyArray<At> =
    "place" in command ? [{ place: command.place }] : "at" in command ? [command.at] : []
  const muster = "muster" in command ? world.musters.find(({ label }) => label === command.muster) : undefined
  const owners = places.flatMap((at) => ("place" in at ? (findPlace(world, at.place)?.organization.label ?? []) : []))
  const named = "organization" in command && command.organization !== undefined ? [command.organization] : []
  return [
    ...places,
    ...[...owners, ...named, ...(muster === undefined ? [] : [muster.organization])].map((organization) => ({
      organization
    }))
  ]
}

/** What adds events to feeds. */
const TELLING: ReadonlyArray<Command["_tag"]> = [
  "Tell",
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

/** Reads the counters of the premises that a command was about, those of its organization among them. */
export const countersTouchedBy = (world: World, command: Command): ReadonlyArray<Request> => {
  const touched = new Map(premisesTouchedBy(world, command).map((at) => [premisesName(at), at] as const))
  const members = command._tag === "Race" ? command.members : [command]
  const has = (...tags: ReadonlyArray<Command["_tag"]>) => members.some(({ _tag }) => tags.includes(_tag))
  // What a feed told before it was first read cannot be read.
  const told = has("Tell", "SetCapacity", "CreateOrganization") ? feeds(world) : []
  return [
    ...[...touched.values()].map((at) => counter(world, at)),
    ...told,
    ...(touched.size > 0 ? openMusters(world) : [])
  ]
}

const musters = (world: World, all: World["musters"]): ReadonlyArray<Request> =>
  all.map(({ label: muster, organization }) => ({ _tag: "ReadMuster", by: ownerAt(world, { organization }), muster }))

/** Reads the musters that go on. */
const openMusters = (world: World) =>
  musters(
    world,
    world.musters.filter(({ ended }) => ended === undefined)
  )

/** Reads the webhooks of every organization. */
const webhooks = (world: World) =>
  world.organizations.map(
    ({ label: organization }) => ({ _tag: "ListWebhooks", by: ownerAt(world, { organization }), organization }) as const
  )

/** Reads every muster of some organizations. */
const mustersOf = (world: World, organizations: ReadonlyArray<string>): ReadonlyArray<Request> => [
  ...musters(
    world,
    world.musters.filter(({ organization }) => organizations.includes(organization))
  ),
  ...organizations.map(
    (organization) => ({ _tag: "ListMusters", by: ownerAt(world, { organization }), organization }) as const
  )
]

/** Reads every muster, and who is inside. */
export const everyMuster = (world: World): ReadonlyArray<Request> => [
  ...mustersOf(
    world,
    world.organizations.map(({ label }) => label)
  ),
  ...everyPremises(world).map((at) => ({ _tag: "ListInside", by: ownerAt(world, at), at }) as const)
]

/** Reads on in the feed of every organization. */
const feeds = (world: World) =>
  world.organizations.map(
    ({ label: organization }) => ({ _tag: "ReadFeed", by: ownerAt(world, { organization }), organization }) as const
  )

/** Reads what histories hold of the last minutes and of all days. */
export const everyHistory = (world: World): ReadonlyArray<Request> => {
  const to = world.now + 1
  return everyPremises(world).flatMap((at) => {
    const of = { _tag: "ReadHistory", by: ownerAt(world, at), at, to } as const
    return [
      { ...of, step: "minute", from: world.now - 15 * 60_000 },
      { ...of, step: "day", from: BEGINNING }
    ] as const
  })
}

/** Tells what is recorded and due, and reads every feed and every capacity, before and after. */
export const everyFeed = (world: World): ReadonlyArray<Request> => {
  const capacities = everyPremises(world).map((at) => ({ _tag: "ReadCapacity", by: ownerAt(world, at), at }) as const)
  return [
    ...webhooks(world),
    ...capacities,
    ...feeds(world),
    { _tag: "Tell", by: OPERATOR },
    ...feeds(world),
    ...capacities
  ]
}

/** Reads the capacities that requests set. */
const capacitiesOf = (world: World, members: ReadonlyArray<Request>): ReadonlyArray<Request> =>
  members.flatMap((member) =>
    member._tag === "SetCapacity"
      ? [{ _tag: "ReadCapacity", by: ownerAt(world, member.at), at: member.at } as const]
      : []
  )

/** Reads what requests at one moment may have left in more than one way. `world` is one that they may have led to. */
export const tracesOf = (world: World, members: ReadonlyArray<Request>): ReadonlyArray<Request> => {
  const user = userNamed(USERS[0])
  const has = (...tags: ReadonlyArray<Command["_tag"]>) => members.some(({ _tag }) => tags.includes(_tag))
  const named = members.flatMap((member) =>
    premisesTouchedBy(world, member).flatMap((at) => ("organization" in at ? at.organization : []))
  )
  const organizations = [...new Set(named)]
  const linkers = members.flatMap(({ _tag, by }) =>
    (_tag === "Link" || _tag === "Unlink") && by.kind === "user" ? by.id : []
  )
  return [
    ...(has(...TELLING) ? [...feeds(world), ...capacitiesOf(world, members)] : []),
    ...(has("CreateWebhook") ? webhooks(world) : []),
    ...(has("StartMuster", "MarkSafe", "EndMuster") ? mustersOf(world, organizations) : []),
    ...(has("EditOrganization", "EditTrackingArea", "Decide")
      ? organizations.map((organization) => ({ _tag: "ReadOrganization", by: user, organization }) as const)
      : []),
    ...(has("CreatePlace", "EditPlace", "RemovePlace")
      ? organizations.map((organization) => ({ _tag: "ListPlaces", by: user, organization }) as const)
      : []),
    ...(has("Bind", "Create", "Unbind", "ChangeLevel")
      ? [
          ...ADMINISTRATORS.filter(({ id }) => world.accounts.some((account) => account.administrator === id)).map(
            (by) => ({ _tag: "ListOwnPermissions", by, administrator: by.id }) as const
          ),
          ...organizations.map(
            (organization) => ({ _tag: "ListPermissions", by: ownerAt(world, { organization }), organization }) as const
          )
        ]
      : []),
    ...[...new Set(linkers)].flatMap((name) =>
      organizations.flatMap((organization) =>
        ANY_PERSON.map(
          (person) =>
            ({ _tag: "ReadAccessesOfPeople", by: userNamed(name), at: { organization }, people: [person] }) as const
        )
      )
    ),
    ...(has("RequestDeletion", "Decide") ? [{ _tag: "ListDeletionRequests", by: OPERATOR } as const] : [])
  ]
}

const everyPremises = (world: World): ReadonlyArray<At> => world.organizations.flatMap(premisesIn)

/** How many tokens a list may ask for. */
const MOST_TOKENS = 100

/** Reads everything that can be read. */
export const everything = (world: World): ReadonlyArray<Request> => {
  const user = userNamed(USERS[0])
  const ofPremises = everyPremises(world).flatMap((at): ReadonlyArray<Request> => {
    const by = ownerAt(world, at)
    const there = world.stays.flatMap((stay, number) => (stay.at === premisesName(at) ? [tokenOf(world, number)] : []))
    const tokens = there.slice(-MOST_TOKENS)
    return [
      counter(world, at),
      { _tag: "ReadAccessesOfPeople", by, at, people: ANY_PERSON },
      ...(tokens.length === 0 ? [] : [{ _tag: "ReadAccessesByToken", by: user, at, tokens } as const]),
      ...("place" in at ? [{ _tag: "ReadReport", by, place: at.place } as const] : [])
    ]
  })
  const ofOrganizations = world.organizations.flatMap(({ label: organization }): ReadonlyArray<Request> => {
    const by = ownerAt(world, { organization })
    return [
      { _tag: "ListPermissions", by, organization },
      { _tag: "ListPlaces", by, organization }
    ]
  })
  return [
    { _tag: "ListOrganizations", by: user },
    ...ofOrganizations,
    ...ofPremises,
    ...ADMINISTRATORS.map((by) => ({ _tag: "ListOwnPermissions", by, administrator: by.id }) as const),
    ...USERS.map((name) => ({ _tag: "ListFavorites", by: userNamed(name), user: name }) as const),
    { _tag: "ListDeletionRequests", by: OPERATOR }
  ]
}

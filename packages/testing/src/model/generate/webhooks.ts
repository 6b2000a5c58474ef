/** Generates commands on webhooks. */
import type { Request, Caller } from "../commands.ts"
import type { ModelOrganization } from "../World.ts"
import { OPERATOR, type Scene, someAdministrator, someOrganization } from "./subjects.ts"
import { ownersOf, some, times } from "./subjects.ts"
import { option } from "../Random.ts"

const GOOD_URL = "https://hooks.example.org/events"
const URLS = [...Array.from({ length: 8 }, () => GOOD_URL), "http://hooks.example.org/"]
const TYPES = [undefined, ["presence"], ["presence", "capacity"], ["place", "organization", "muster"]] as const

/** An organization, mostly the one with the most webhooks, so that some have as many as they may. */
const busiest = (scene: Scene): ModelOrganization => {
  const { random, world } = scene
  const count = ({ label }: ModelOrganization) => world.webhooks.filter((one) => one.organization === label).length
  const [first] = world.organizations.toSorted((one, other) => count(other) - count(one))
  return first !== undefined && random.chance(0.9) ? first : someOrganization(scene)
}

const someCreation = (scene: Scene, { label: organization }: ModelOrganization, by: Caller): Request => ({
  _tag: "CreateWebhook",
  by,
  organization,
  webhook: scene.label,
  url: scene.random.pick(URLS),
  types: scene.random.pick(TYPES)
})

/** Webhooks, and what servers deliver for them. */
export const someWebhookCommand = (scene: Scene): Request => {
  const { random, world } = scene
  const organization = busiest(scene)
  const by = someAdministrator(scene, organization, "owner")
  const some = random.pick([...world.webhooks.slice(-6), undefined])
  const webhook = some?.label ?? "w-none"
  const owner = someAdministrator(
    scene,
    world.organizations.find(({ label }) => label === some?.organization),
    "owner"
  )
  return random.weighted<() => Request>([
    option(12, () => someCreation(scene, organization, by)),
    option(1, () => ({ _tag: "ListWebhooks", by, organization: organization.label })),
    option(1, () => ({ _tag: "RemoveWebhook", by: owner, webhook })),
    option(2, () => ({ _tag: "EnableWebhook", by: owner, webhook })),
    option(scene.wire ? 0 : 8, () => ({
      _tag: "Deliver",
      by: OPERATOR,
      server: random.pick(["one", "two"]),
      outcome: random.pick(["delivered", "delivered", "delivered", "failed", "gone"])
    }))
  ])()
}

/** Webhooks that are created at one moment, of which an organization may have no more than so many. */
export const webhooks = (scene: Scene): ReadonlyArray<Request> => {
  const organization = busiest(scene)
  const owners = ownersOf(organization)
  const by = owners.length > 0 ? scene.random.pick(owners) : someAdministrator(scene, organization, "owner")
  return times(scene, some(scene, 2, 4), (one) => someCreation(one, organization, by))
}

/** The commands on devices of an organization, in the name of one of its administrators. */
import { Administrator, AdministratorId, DeviceId, DeviceKind, OrganizationId, PlaceId } from "@sojourn/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { Console, Effect } from "effect"
import { StartupError } from "@sojourn/service"
import { required, text } from "./flags.ts"
import { type Client, decode, decodeId, flagsOfStorage, operate, type OperatorFlags } from "./operate.ts"

const flags = {
  administrator: required("administrator", "The administratorId in whose name it is done: a manager or an owner"),
  ...flagsOfStorage
}

type DeviceFlags = OperatorFlags & { readonly administrator: string }

const administer = Effect.fnUntraced(function* <A, E extends { readonly _tag: string }>(
  { administrator, ...rest }: DeviceFlags,
  work: (api: Client) => Effect.Effect<A, E>
) {
  const id = yield* decode(AdministratorId, "--administrator", administrator)
  return yield* operate(rest, Administrator(id), work)
})

const organization = required("organization", "The id of the organization")
const id = Argument.String("id").pipe(Argument.withDescription("The id of the device"))

const create = Command.make(
  "create",
  {
    organization,
    name: required("name", "1 to 100 characters"),
    places: text(
      "places",
      "The ids of places where it counts, or which it shows, separated by commas; none: the organization as a whole",
      ""
    ),
    kind: text("kind", "counter, or display: a screen that shows counts and sends none", "counter"),
    ...flags
  },
  Effect.fnUntraced(function* ({ organization, name, places, kind: kindText, ...rest }) {
    const organizationId = yield* decodeId(OrganizationId, "--organization", organization)
    const premises = yield* Effect.forEach(places === "" ? [] : places.split(","), (place) =>
      Effect.map(decodeId(PlaceId, "--places", place.trim()), (placeId) => ({ placeId }))
    )
    if (premises.length > 20) return yield* new StartupError({ message: "--places names at most 20 places" })
    const kind = yield* decode(DeviceKind, "--kind", kindText)
    const payload = { name, kind, premises: premises.length === 0 ? [{ organization: true as const }] : premises }
    const { deviceId, token } = yield* administer(rest, (api) =>
      api.device.create({ params: { organizationId }, payload })
    )
    yield* Console.log(`${deviceId}\t${token}`)
  })
).pipe(Command.withDescription("Makes a device, and prints its id and its token, which is printed this once"))

const list = Command.make(
  "list",
  { organization, ...flags },
  Effect.fnUntraced(function* ({ organization, ...rest }) {
    const organizationId = yield* decodeId(OrganizationId, "--organization", organization)
    const found = yield* administer(rest, (api) => api.device.list({ params: { organizationId } }))
    for (const { deviceId, kind, state, drift, name } of found ?? []) {
      yield* Console.log(`${deviceId}\t${state}\t${kind ?? `drift ${drift}`}\t${name}`)
    }
  })
).pipe(Command.withDescription("Lists the devices of an organization: id, state, drift or `display`, name"))

const rotate = Command.make(
  "rotate",
  { id, ...flags },
  Effect.fnUntraced(function* ({ id, ...rest }) {
    const deviceId = yield* decodeId(DeviceId, "id", id)
    const { token } = yield* administer(rest, (api) => api.device.rotate({ params: { deviceId } }))
    yield* Console.log(token)
  })
).pipe(Command.withDescription("Prints another token of a device; the former one is valid for 60 s more"))

const remove = Command.make(
  "remove",
  { id, ...flags },
  Effect.fnUntraced(function* ({ id, ...rest }) {
    const deviceId = yield* decodeId(DeviceId, "id", id)
    yield* administer(rest, (api) => api.device.remove({ params: { deviceId } }))
  })
).pipe(Command.withDescription("Removes a device; what it counted stays counted"))

export const device = Command.make("device").pipe(
  Command.withDescription("Devices of an organization, such as door counters and displays"),
  Command.withSubcommands([create, list, rotate, remove])
)

import { LongestStay, OrganizationId, Retention } from "@sojourn/core"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { CommandFailed } from "../CommandFailed.ts"
import { formatSeconds, parseSeconds } from "./durations.ts"
import { required, text } from "./flags.ts"
import { type Client, decodeId, flagsOfStorage, operate, operator } from "./operate.ts"

const flags = { organization: required("organization", "The organization's id"), ...flagsOfStorage }

const paramsOf = (organization: string) =>
  Effect.map(decodeId(OrganizationId, "--organization", organization), (organizationId) => ({
    params: { organizationId }
  }))

/** What a flag says of a field: nothing where it is not given, and null where it lifts the field. */
const fieldOf = <Seconds extends number>(
  name: string,
  value: string,
  schema: Schema.Codec<Seconds, number>,
  bounds: string
): Effect.Effect<Seconds | null | undefined, CommandFailed> => {
  if (value === "") return Effect.undefined
  if (value === "none") return Effect.succeed(null)
  return Option.match(Option.flatMap(parseSeconds(value), Schema.decodeOption(schema)), {
    onNone: () =>
      Effect.fail(
        new CommandFailed({ message: `${name} is none, or a number and s, m, h or d, of ${bounds}: ${value}` })
      ),
    onSome: Effect.succeed
  })
}

const print = (policy: { readonly longestStay?: number | undefined; readonly retention?: number | undefined }) => {
  const line = (name: string, seconds: number | undefined) =>
    Console.log(`${name}\t${seconds === undefined ? "none" : formatSeconds(seconds)}`)
  return Effect.andThen(line("longest-stay", policy.longestStay), line("retention", policy.retention))
}

const show = Command.make(
  "show",
  flags,
  Effect.fnUntraced(function* ({ organization, ...flags }) {
    const request = yield* paramsOf(organization)
    const read = (api: Client) => api.operator.readStayPolicy(request)
    yield* print(yield* operate(flags, operator, read))
  })
).pipe(Command.withDescription("Shows when stays of an organization are abandoned, and its accesses forgotten"))

const set = Command.make(
  "set",
  {
    longestStay: text("longest-stay", "How long a stay may stay open, as in 12h; none lifts it", ""),
    retention: text("retention", "How long accesses are kept, as in 90d; none keeps them", ""),
    ...flags
  },
  Effect.fnUntraced(function* ({ organization, longestStay, retention, ...flags }) {
    const { params } = yield* paramsOf(organization)
    const stay = yield* fieldOf("--longest-stay", longestStay, LongestStay, "1m to 366d")
    const kept = yield* fieldOf("--retention", retention, Retention, "1d to 36525d")
    if (stay === undefined && kept === undefined)
      return yield* new CommandFailed({ message: "say --longest-stay, --retention or both" })
    const payload = {
      ...(stay !== undefined && { longestStay: stay }),
      ...(kept !== undefined && { retention: kept })
    }
    const change = (api: Client) => api.operator.changeStayPolicy({ params, payload })
    yield* print(yield* operate(flags, operator, change))
  })
).pipe(Command.withDescription("Changes the stay policy of an organization, and shows it"))

export const policy = Command.make("policy").pipe(
  Command.withDescription("How long stays may stay open, and how long accesses are kept"),
  Command.withSubcommands([show, set])
)

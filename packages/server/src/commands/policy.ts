/** The command `sojourn policy`: shows and changes the stay policy of an organization. */
import {
  EventGrain,
  LongestStay,
  OrganizationId,
  Retention,
  SilentAfter,
  SmallestCount,
  type StayPolicy,
  type StayPolicyChange,
  TimeOfDay,
  TimeZoneName
} from "@sojourn/core"
import * as Command from "effect/cli/Command"
import { Console, Duration, Effect, Option, Schema } from "effect"
import { StartupError } from "@sojourn/service"
import { required, text } from "./flags.ts"
import { type Client, decodeId, flagsOfStorage, operate, operator } from "./operate.ts"
import { formatSeconds, parseDuration, parseSeconds, parseWhole, valueOf } from "./values.ts"

const flags = { organization: required("organization", "The organization's id"), ...flagsOfStorage }

const paramsOf = (organization: string) =>
  Effect.map(decodeId(OrganizationId, "--organization", organization), (organizationId) => ({
    params: { organizationId }
  }))

/** The value of a flag for a field: undefined where it is not given, and null where it lifts the field. */
const fieldOf = <Field>(
  name: string,
  value: string,
  { parse, expected }: { readonly parse: (text: string) => Option.Option<Field>; readonly expected: string }
): Effect.Effect<Field | null | undefined, StartupError> => {
  if (value === "") return Effect.undefined
  if (value === "none") return Effect.succeed(null)
  return valueOf(name, value, `none, or ${expected}`, parse(value))
}

const LENGTH = "a number and s, m, h or d"

const parseSecondsAs =
  <Field>(schema: Schema.Codec<Field, number>) =>
  (text: string) =>
    Option.flatMap(parseSeconds(text), Schema.decodeOption(schema))

/** Unlike the other lengths of time, an event interval may be 0. */
const parseGrain = (text: string) =>
  Option.flatMap(Option.map(parseDuration(text), Duration.toSeconds), Schema.decodeOption(EventGrain))

const parseCount = (text: string) => Option.flatMap(parseWhole(text, { least: 0 }), Schema.decodeOption(SmallestCount))

const parseYes = (text: string) =>
  text === "yes" || text === "no" ? Option.some(text === "yes") : Option.none<boolean>()

/** One line for each part. Those of devices and exclusive places are printed where they are set. */
const print = ({ longestStay, retention, eventGrain, smallestCount, exclusivePlaces, ...devices }: StayPolicy) => {
  const length = (seconds: number | undefined) => (seconds === undefined ? undefined : formatSeconds(seconds))
  const always: ReadonlyArray<readonly [string, string | number | undefined]> = [
    ["longest-stay", length(longestStay)],
    ["retention", length(retention)],
    ["event-grain", length(eventGrain)],
    ["smallest-count", smallestCount]
  ]
  const whereSet: typeof always = [
    ["counted-reset-at", devices.countedResetAt],
    ["stays-end-at", devices.staysEndAt],
    ["time-zone", devices.timeZone],
    ["device-silent-after", length(devices.deviceSilentAfter)],
    ["exclusive-places", exclusivePlaces === undefined ? undefined : exclusivePlaces ? "yes" : "no"]
  ]
  const lines = [...always, ...whereSet.filter(([, value]) => value !== undefined)]
  return Effect.forEach(lines, ([name, value]) => Console.log(`${name}\t${value ?? "none"}`))
}

const show = Command.make(
  "show",
  flags,
  Effect.fnUntraced(function* ({ organization, ...flags }) {
    const request = yield* paramsOf(organization)
    const read = (api: Client) => api.operator.readStayPolicy(request)
    yield* print(yield* operate(flags, operator, read))
  })
).pipe(Command.withDescription("Shows the policy of an organization"))

const set = Command.make(
  "set",
  {
    longestStay: text("longest-stay", "How long a stay may stay open, as in 12h; none lifts it", ""),
    retention: text("retention", "How long accesses are kept, as in 90d; none keeps them", ""),
    eventGrain: text(
      "event-grain",
      "How far apart presence events of a place are at least, 0s to 1m; from 2s on anonymous organizations publish at its multiples alone",
      ""
    ),
    smallestCount: text(
      "smallest-count",
      "Histories of anonymous organizations tell no average stay below so many exits, 1 to 1000; none: 5",
      ""
    ),
    countedResetAt: text(
      "counted-reset-at",
      "The local time at which the people counted by devices become none each day, as in 04:00; none: never",
      ""
    ),
    staysEndAt: text(
      "stays-end-at",
      "The local time at which all open stays are abandoned each day, as in 03:00; none: never",
      ""
    ),
    timeZone: text("time-zone", "The organization's time zone, as in Europe/Rome; none: UTC", ""),
    deviceSilentAfter: text(
      "device-silent-after",
      "After how long without a request a device is silent, 1s to 1d; none: 15m",
      ""
    ),
    exclusivePlaces: text(
      "exclusive-places",
      "Whether an entrance into a place ends the person's stays in other places: yes or no",
      ""
    ),
    ...flags
  },
  Effect.fnUntraced(function* ({ organization, longestStay, retention, eventGrain, smallestCount, ...rest }) {
    const { countedResetAt, staysEndAt, timeZone, deviceSilentAfter, exclusivePlaces, ...flags } = rest
    const { params } = yield* paramsOf(organization)
    const given = {
      longestStay: yield* fieldOf("longest-stay", longestStay, {
        parse: parseSecondsAs(LongestStay),
        expected: `${LENGTH}, of 1m to 366d`
      }),
      retention: yield* fieldOf("retention", retention, {
        parse: parseSecondsAs(Retention),
        expected: `${LENGTH}, of 1d to 36525d`
      }),
      eventGrain: yield* fieldOf("event-grain", eventGrain, {
        parse: parseGrain,
        expected: "whole seconds, of 0s to 1m"
      }),
      smallestCount: yield* fieldOf("smallest-count", smallestCount, {
        parse: parseCount,
        expected: "a number of 1 to 1000"
      }),
      countedResetAt: yield* fieldOf("counted-reset-at", countedResetAt, {
        parse: Schema.decodeOption(TimeOfDay),
        expected: "a time as 04:00"
      }),
      staysEndAt: yield* fieldOf("stays-end-at", staysEndAt, {
        parse: Schema.decodeOption(TimeOfDay),
        expected: "a time as 03:00"
      }),
      timeZone: yield* fieldOf("time-zone", timeZone, {
        parse: Schema.decodeOption(TimeZoneName),
        expected: "the IANA name of a time zone"
      }),
      deviceSilentAfter: yield* fieldOf("device-silent-after", deviceSilentAfter, {
        parse: parseSecondsAs(SilentAfter),
        expected: `${LENGTH}, of 1s to 1d`
      }),
      exclusivePlaces: yield* fieldOf("exclusive-places", exclusivePlaces, { parse: parseYes, expected: "yes or no" })
    }
    const payload = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
      readonly [Field in keyof StayPolicy]?: Exclude<StayPolicyChange[Field], undefined>
    }
    if (Object.keys(payload).length === 0) {
      return yield* new StartupError({ message: "say at least one of --longest-stay, --retention and the other parts" })
    }
    const change = (api: Client) => api.operator.changeStayPolicy({ params, payload })
    yield* print(yield* operate(flags, operator, change))
  })
).pipe(Command.withDescription("Changes the policy of an organization, and shows it"))

export const policy = Command.make("policy").pipe(
  Command.withDescription(
    "How long stays may stay open and accesses are kept, and what presence events and histories tell"
  ),
  Command.withSubcommands([show, set])
)

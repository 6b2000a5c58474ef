/** A check of permissions written as data: every cell of the table, against the core's rule and against its use cases. */
import * as Memory from "@sojourn/adapter-memory"
import * as Sojourn from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import { type Action, ALLOWED, area, doing, named } from "./table.ts"

const { literals: levels } = Sojourn.PermissionLevel
const first = Sojourn.Administrator(named("first").administratorId)

/** A works with a place, where `who` holds a level, or none. */
const works = Effect.fnUntraced(function* (who: Sojourn.Administrator, level: Option.Option<Sojourn.PermissionLevel>) {
  const operator = Sojourn.Operator(Sojourn.OperatorId.make("operator"))
  const draft = { name: "Works", trackingArea: area(11, 12), trackingMode: "anonymous" } as const
  const { id } = yield* Sojourn.Organizations.use((_) => _.create(operator, draft, named("first")))
  if (Option.isSome(level)) {
    const creation = { organizationId: id, administrator: named(who.administratorId), level: level.value }
    yield* Sojourn.Administrators.use((_) => _.create(first, creation))
  }
  const place = { organizationId: id, trackingArea: area(11, 11.5) }
  return yield* Sojourn.Places.use((_) => _.create(first, place))
})

/** Whether the use case lets them, in a memory of its own. A refusal for another reason fails the check. */
const lets = (action: Action, level: Option.Option<Sojourn.PermissionLevel>) => {
  const who = Sojourn.Administrator(named("caller").administratorId)
  return works(who, level).pipe(
    Effect.flatMap((place) => doing(who, place)[action]),
    Effect.as(true),
    Effect.catchIf(
      (refusal) => refusal._tag === "PermissionTooLow",
      () => Effect.succeed(false)
    ),
    Effect.provide(Memory.layer)
  )
}

const check = Effect.gen(function* () {
  const wrong: Array<string> = []
  const rows: Record<string, Record<string, string>> = {}
  for (const action of Object.keys(ALLOWED) as ReadonlyArray<Action>) {
    const allowed: ReadonlyArray<Sojourn.PermissionLevel> = ALLOWED[action]
    rows[action] = {}
    for (const level of [Option.none<Sojourn.PermissionLevel>(), ...levels.map(Option.some)]) {
      const holder = Option.getOrElse(level, () => "unbound")
      const may = Option.exists(level, (held) => allowed.includes(held))
      const rule = Result.isSuccess(Sojourn.requireLevel(level, allowed[0]!))
      const used = yield* lets(action, level)
      rows[action][holder] = may ? "yes" : "-"
      if (rule !== may) wrong.push(`the rule says ${rule} to ${holder}: ${action}`)
      if (used !== may) wrong.push(`the use case says ${used} to ${holder}: ${action}`)
    }
  }
  console.table(rows)
  return wrong
})

const wrong = await Effect.runPromise(check)
console.log(wrong.length === 0 ? "every cell is as the rule and the use cases have it" : wrong.join("\n"))
process.exitCode = wrong.length === 0 ? 0 : 1

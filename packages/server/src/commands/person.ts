/** The command `sojourn person`: exports and erases what is stored about a data subject. */
import { WireDataSubject, WirePersonalData } from "@sojourn/adapter-http/api"
import { OrganizationId } from "@sojourn/core"
import * as Command from "effect/cli/Command"
import { Console, Effect, Schema } from "effect"
import { StartupError } from "@sojourn/service"
import { required, text } from "./flags.ts"
import { decodeId, flagsOfStorage, operate, operator } from "./operate.ts"

/** The flags that name a data subject. Their variables, unlike command lines, stay out of process lists and histories. */
const subjectFlags = {
  user: text("user", "A user: the subject of their tokens", ""),
  organization: text("organization", "The id of the organization whose --person it is", ""),
  person: text("person", "A person: the id on the organization's authentication server", ""),
  administrator: text("administrator", "An administrator's administratorId", ""),
  mail: text("mail", "The mail address of an administrator's account, or of an invitation", ""),
  operatorId: text("operator-id", "An operator: the subject of their tokens", "")
}

const given = (flag: string) => (flag === "" ? undefined : flag)

/** The data subject that the flags name. Errors do not repeat the values. */
const subjectOf = ({
  user,
  organization,
  person,
  administrator,
  mail,
  operatorId
}: Command.Command.Config.Infer<typeof subjectFlags>) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(WireDataSubject)(
      Object.fromEntries(
        Object.entries({
          userId: given(user),
          organizationId: organization === "" ? undefined : Number(organization),
          orgAuthServerId: given(person),
          administratorId: given(administrator),
          mail: given(mail),
          operatorId: given(operatorId)
        }).filter(([, value]) => value !== undefined)
      )
    ),
    () =>
      new StartupError({
        message: "name one: --user, --organization with --person, --administrator, --mail, or --operator-id"
      })
  )

const exportData = Command.make(
  "export",
  { ...subjectFlags, ...flagsOfStorage },
  Effect.fnUntraced(function* (flags) {
    const payload = yield* subjectOf(flags)
    const found = yield* operate(flags, operator, (api) => api.personaldata.export({ payload }))
    const document = yield* Effect.orDie(Schema.encodeEffect(WirePersonalData)(found))
    yield* Console.log(JSON.stringify(document, null, 2))
  })
).pipe(Command.withDescription("Prints everything that is stored about a data subject, as JSON"))

const erase = Command.make(
  "erase",
  { ...subjectFlags, ...flagsOfStorage },
  Effect.fnUntraced(function* (flags) {
    const payload = yield* subjectOf(flags)
    const erased = yield* operate(flags, operator, (api) => api.personaldata.erase({ payload }))
    for (const [kind, count] of Object.entries(erased)) yield* Console.log(`${kind}\t${count}`)
  })
).pipe(Command.withDescription("Erases everything that is stored about a data subject, and prints the counts"))

const erasures = Command.make(
  "erasures",
  { organization: required("organization", "The id of the organization"), ...flagsOfStorage },
  Effect.fnUntraced(function* ({ organization, ...flags }) {
    const organizationId = yield* decodeId(OrganizationId, "--organization", organization)
    const found = yield* operate(flags, operator, (api) => api.personaldata.erasures({ params: { organizationId } }))
    for (const { day, people, accesses, openStays, totalTime } of found ?? []) {
      yield* Console.log([day, people, accesses, openStays, totalTime].join("\t"))
    }
  })
).pipe(
  Command.withDescription("Lists what erasures took from an organization: day, people, accesses, open stays, seconds")
)

export const person = Command.make("person").pipe(
  Command.withDescription("The operator's work on what is stored about people"),
  Command.withSubcommands([exportData, erase, erasures])
)

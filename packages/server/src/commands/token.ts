/** The command `sojourn token`, and `sojourn token revoke`. */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import {
  Administrator,
  AdministratorId,
  type Caller,
  Mail,
  Operator,
  OperatorId,
  parseTimestamp,
  User,
  UserId
} from "@sojourn/core"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { Console, Effect, Option, Redacted, Schema } from "effect"
import { StartupError } from "@sojourn/service"
import { existsSync } from "node:fs"
import * as path from "node:path"
import { ISSUER_KEY_FILE, issuerKey } from "../keys/IssuerKey.ts"
import { data, oneOf, required, text } from "./flags.ts"
import { flagsOfStorage, operate, operator } from "./operate.ts"
import { parseSeconds, valueOf } from "./values.ts"

const decode = <A>(schema: Schema.Codec<A, string>, value: string, message: string) =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(value), () => new StartupError({ message }))

const callerOf = Effect.fnUntraced(function* (
  kind: "user" | "administrator" | "operator",
  id: string,
  mail: Option.Option<string>
): Effect.fn.Return<Caller, StartupError> {
  const message = "--id is text of 1 to 256 characters"
  if (kind === "user") return User(yield* decode(UserId, id, message))
  if (kind === "operator") return Operator(yield* decode(OperatorId, id, message))
  const administratorId = yield* decode(AdministratorId, id, message)
  if (Option.isNone(mail)) return Administrator(administratorId)
  return Administrator(administratorId, yield* decode(Mail, mail.value, "--mail is no mail address"))
})

const kind = oneOf("kind", ["user", "administrator", "operator"], "The kind of caller")

const revoke = Command.make(
  "revoke",
  {
    kind,
    id: required("id", "The caller's id, as the service knows it"),
    issuedBefore: required("issued-before", "An RFC 3339 timestamp; left out: now").pipe(Flag.optional),
    ...flagsOfStorage
  },
  Effect.fnUntraced(function* ({ kind, id, issuedBefore, ...flags }) {
    yield* callerOf(kind, id, Option.none())
    const moment = Option.map(issuedBefore, (text) =>
      Effect.mapError(
        Effect.fromOption(parseTimestamp(text)),
        () => new StartupError({ message: `--issued-before is malformed: ${text}` })
      )
    )
    const payload = { kind, id, ...(Option.isSome(moment) && { issuedBefore: yield* moment.value }) }
    yield* operate(flags, operator, (api) => api.operator.revokeTokens({ payload }))
  })
).pipe(Command.withDescription("Ends the tokens of a caller that were issued before a moment, whoever issued them"))

export const token = Command.make(
  "token",
  {
    kind,
    id: required("id", "The caller's id: the subject of the token"),
    mail: required("mail", "The mail address of an administrator").pipe(Flag.optional),
    expires: text("expires", "How long the token works: a number and s, m, h or d", "1h"),
    data
  },
  Effect.fnUntraced(function* ({ kind, id, mail, expires, data }) {
    const caller = yield* callerOf(kind, id, mail)
    const expiresIn = yield* valueOf("expires", expires, "a number and s, m, h or d, as in 1h", parseSeconds(expires))
    const file = path.join(data, ISSUER_KEY_FILE)
    const isNew = !existsSync(file)
    const minted = yield* OwnIssuer.mint(yield* issuerKey(data), caller, { expiresIn })
    if (isNew)
      yield* Console.error(`sojourn: there was no key in ${file}: it is made, and servers that use it accept the token`)
    yield* Console.log(Redacted.value(minted))
  })
).pipe(
  Command.withDescription("Prints one token of the own issuer, whose key it makes when there is none"),
  Command.withSubcommands([revoke])
)

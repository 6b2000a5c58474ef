import { OwnIssuer } from "@sojourn/adapter-jwt"
import { layerCredentials, makeClient } from "@sojourn/adapter-http/client"
import {
  AdministratorId,
  type Caller,
  DeletionRequestId,
  Mail,
  Operator,
  OperatorId,
  User,
  UserId
} from "@sojourn/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Schema from "effect/Schema"
import { CommandFailed } from "../CommandFailed.ts"
import { issuerKey } from "../IssuerKey.ts"
import { data, oneOf, required, server, text } from "./flags.ts"

/** The operator's work goes through the running server, whose memory nobody else can reach. */
const client = Effect.fnUntraced(function* (from: { readonly data: string; readonly server: string }, caller: Caller) {
  const token = yield* OwnIssuer.mint(yield* issuerKey(from.data), caller, { expiresIn: 60 })
  return yield* Effect.provide(makeClient(from.server), layerCredentials(token))
}, Effect.provide(FetchHttpClient.layer))

const operator = Operator(OperatorId.make("command-line"))

/** The one line that says what went wrong. */
const explain = (error: { readonly _tag: string; readonly detail?: unknown; readonly message?: string }) =>
  error._tag === "CommandFailed"
    ? new CommandFailed({ message: error.message ?? "" })
    : new CommandFailed({
        message: typeof error.detail === "string" ? error.detail : `the server gives no answer (${error._tag})`
      })

const decode = <A>(schema: Schema.Codec<A, string>, name: string, value: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(schema)(value),
    () => new CommandFailed({ message: `${name} is malformed: ${value}` })
  )

const create = Command.make(
  "create",
  {
    name: required("name", "1 to 128 characters, unique"),
    area: required("area", "The tracking area: GeoJSON of a Polygon or MultiPolygon"),
    mode: oneOf("mode", ["anonymous", "authenticated"], "How people are tracked").pipe(Flag.withDefault("anonymous")),
    authenticationServer: text("authentication-server", "The LDAP URL of the organization's authentication server", ""),
    owner: required("owner", "The administratorId of the first owner"),
    mail: required("mail", "The mail address of the first owner"),
    data,
    server
  },
  Effect.fnUntraced(function* (flags) {
    const api = yield* client(flags, operator)
    const owner = {
      administratorId: yield* decode(AdministratorId, "--owner", flags.owner),
      mail: yield* decode(Mail, "--mail", flags.mail)
    }
    const { id } = yield* api.operator.createOrganization({
      payload: {
        name: flags.name,
        trackingArea: flags.area,
        trackingMode: flags.mode,
        ...(flags.authenticationServer !== "" && { authenticationServerURL: flags.authenticationServer }),
        owner
      }
    })
    yield* Console.log(String(id))
  }, Effect.mapError(explain))
).pipe(Command.withDescription("Creates an organization with its first owner, and prints its id"))

const list = Command.make(
  "list",
  { data, server },
  Effect.fnUntraced(function* (flags) {
    const api = yield* client(flags, User(UserId.make("command-line")))
    for (const { id, name, trackingMode } of (yield* api.organization.list()) ?? []) {
      yield* Console.log(`${id}\t${trackingMode}\t${name}`)
    }
  }, Effect.mapError(explain))
).pipe(Command.withDescription("Lists the organizations: id, tracking mode, name"))

export const organization = Command.make("organization").pipe(
  Command.withDescription("The operator's work on organizations, through the running server"),
  Command.withSubcommands([create, list])
)

const requests = Command.make(
  "list",
  {
    status: oneOf("status", ["pending", "approved", "rejected", "all"], "Which requests").pipe(
      Flag.withDefault("pending")
    ),
    data,
    server
  },
  Effect.fnUntraced(function* ({ status, ...flags }) {
    const api = yield* client(flags, operator)
    const query = status === "all" ? {} : { status }
    for (const request of (yield* api.operator.listDeletionRequests({ query })) ?? []) {
      const { id, organizationId, administratorId, requestReason = "" } = request
      yield* Console.log(
        `${id}\t${request.status}\torganization ${organizationId}\t${administratorId}\t${requestReason}`
      )
    }
  }, Effect.mapError(explain))
).pipe(Command.withDescription("Lists deletion requests: id, status, organization, who asked, reason"))

const conclusion = (name: "approve" | "reject", description: string) =>
  Command.make(
    name,
    { id: Argument.String("id").pipe(Argument.withDescription("The id of the request")), data, server },
    Effect.fnUntraced(function* ({ id: text, ...flags }) {
      const api = yield* client(flags, operator)
      const id = yield* decode(Schema.BigIntFromString.pipe(Schema.decodeTo(DeletionRequestId)), "id", text)
      const request = { params: { id } }
      yield* name === "approve"
        ? api.operator.approveDeletionRequest(request)
        : api.operator.rejectDeletionRequest(request)
    }, Effect.mapError(explain))
  ).pipe(Command.withDescription(description))

export const deletionRequest = Command.make("deletion-request").pipe(
  Command.withDescription("The operator's work on deletion requests, through the running server"),
  Command.withSubcommands([
    requests,
    conclusion("approve", "Grants a request: the organization is deleted with all that it owns"),
    conclusion("reject", "Refuses a request; another may be made")
  ])
)

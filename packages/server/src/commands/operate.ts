/** The operator's commands on organizations and deletion requests, and what all operator's commands share. */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { layerCredentials, makeClient } from "@sojourn/adapter-http/client"
import {
  AdministratorId,
  type Caller,
  CurrentCommand,
  DeletionRequestId,
  Mail,
  Operator,
  OperatorId,
  type StoreError,
  type Stores,
  User,
  UserId
} from "@sojourn/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { Console, Context, Effect, Option, Schema } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { StartupError } from "@sojourn/service"
import { issuerKey } from "../keys/IssuerKey.ts"
import { inProcess } from "./inProcess.ts"
import { directoryAllow, oneOf, policyOf, required, server, text } from "./flags.ts"
import { existingStorageOf, requireData, type StorageFlags, storageFlags, storageNamed, storageOf } from "./storage.ts"
import { addressOf } from "./values.ts"

/** Where the operator's commands run: on the storage itself, or through the server that holds it in memory. */
export const flagsOfStorage = { ...storageFlags, server }

/** The words of the command that runs, which the audit names as the actor. */
export const TypedCommand = Context.Reference<string | undefined>("@sojourn/server/TypedCommand", {
  defaultValue: () => undefined
})

/** A client of the whole interface. */
export type Client = Effect.Success<ReturnType<typeof makeClient>>
export type OperatorFlags = StorageFlags & { readonly server: string }

/** The caller of a command, or how it is found in the stores; none: they are those of the running server. */
type CallerOrFind =
  | Caller
  | ((stores: Context.Context<Stores> | undefined) => Effect.Effect<Caller, StartupError | StoreError>)

interface OperateOptions {
  /** The authentication servers that may be reached. */
  readonly allowed?: ReadonlyArray<string>
  /** For how long it works at most, in seconds. */
  readonly expiresIn?: number
  /** Whether the storage is made when there is none. */
  readonly makes?: boolean
}

/**
 * Runs an effect with a client of the whole interface. The client works on the storage itself, whether a server is running or not;
 * with `--storage memory` it calls the running server, with a token of the key in the data directory.
 */
export const operate = <A, E extends Explained>(
  { server, ...flags }: OperatorFlags,
  caller: CallerOrFind,
  work: (api: Client) => Effect.Effect<A, E>,
  { allowed = [], makes = false, expiresIn = 60 }: OperateOptions = {}
) =>
  Effect.gen(function* () {
    yield* addressOf("server", server)
    const isElsewhere = storageNamed(flags) === "memory"
    if (isElsewhere) yield* requireData(flags, { _tag: "Memory" })
    // In this process any key will do.
    const key = yield* isElsewhere
      ? issuerKey(flags.data)
      : Effect.orDie(Effect.flatMap(OwnIssuer.generate, OwnIssuer.decode))
    const storage = yield* isElsewhere ? Effect.undefined : makes ? storageOf(flags) : existingStorageOf(flags)
    const { fetch, stores } =
      storage === undefined
        ? { fetch: globalThis.fetch, stores: undefined }
        : yield* Effect.provideService(
            inProcess({ ...storage, key, policy: yield* policyOf(allowed) }),
            CurrentCommand,
            yield* TypedCommand
          )
    const token = yield* OwnIssuer.mint(key, typeof caller === "function" ? yield* caller(stores) : caller, {
      expiresIn
    })
    const api = yield* Effect.provide(makeClient(server), [layerCredentials(token), FetchHttpClient.layer])
    return yield* Effect.provideService(work(api), FetchHttpClient.Fetch, fetch)
  }).pipe(Effect.scoped, Effect.mapError(explain))

/** The caller that the operator's commands act as. */
export const operator = Operator(OperatorId.make("command-line"))

/** The parts of a failure that its message is made of. */
interface Explained {
  readonly _tag: string
  readonly detail?: unknown
  readonly message?: string
}

/** The one line that says what went wrong. */
const explain = (error: Explained) =>
  error._tag === "StartupError"
    ? new StartupError({ message: error.message ?? "" })
    : new StartupError({
        message: typeof error.detail === "string" ? error.detail : `the server gives no answer (${error._tag})`
      })

/** The value of a flag or an argument, decoded by its schema. */
export const decode = <A>(schema: Schema.Codec<A, string>, name: string, value: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(schema)(value),
    () => new StartupError({ message: `${name} is malformed: ${value}` })
  )

/** The id in a flag or an argument, in decimal digits. */
export const decodeId = <Id extends bigint>(schema: Schema.Codec<Id, bigint>, name: string, value: string) =>
  decode(Schema.BigIntFromString.pipe(Schema.decodeTo(schema)), name, value)

const create = Command.make(
  "create",
  {
    name: required("name", "1 to 128 characters, unique"),
    area: required("area", "The tracking area: GeoJSON of a Polygon or MultiPolygon"),
    mode: oneOf("mode", ["anonymous", "authenticated"], "How people are tracked").pipe(Flag.withDefault("anonymous")),
    authenticationServer: text("authentication-server", "The LDAP URL of the organization's authentication server", ""),
    owner: required(
      "owner",
      "The administratorId of the first owner; left out: the first who proves the mail address"
    ).pipe(Flag.optional),
    mail: required("mail", "The mail address of the first owner"),
    directoryAllow,
    ...flagsOfStorage
  },
  Effect.fnUntraced(function* ({ directoryAllow, ...flags }) {
    const owner = {
      ...(Option.isSome(flags.owner) && {
        administratorId: yield* decode(AdministratorId, "--owner", flags.owner.value)
      }),
      mail: yield* decode(Mail, "--mail", flags.mail)
    }
    const payload = {
      name: flags.name,
      trackingArea: flags.area,
      trackingMode: flags.mode,
      ...(flags.authenticationServer !== "" && { authenticationServerURL: flags.authenticationServer }),
      owner
    }
    const create = (api: Client) => api.operator.createOrganization({ payload })
    const { id } = yield* operate(flags, operator, create, { allowed: directoryAllow, makes: true })
    yield* Console.log(String(id))
  })
).pipe(Command.withDescription("Creates an organization with its first owner, and prints its id"))

const list = Command.make(
  "list",
  flagsOfStorage,
  Effect.fnUntraced(function* (flags) {
    const found = yield* operate(flags, User(UserId.make("command-line")), (api) => api.organization.list())
    for (const { id, name, trackingMode } of found ?? []) {
      yield* Console.log(`${id}\t${trackingMode}\t${name}`)
    }
  })
).pipe(Command.withDescription("Lists the organizations: id, tracking mode, name"))

export const organization = Command.make("organization").pipe(
  Command.withDescription("The operator's work on organizations"),
  Command.withSubcommands([create, list])
)

const requests = Command.make(
  "list",
  {
    status: oneOf("status", ["pending", "approved", "rejected", "all"], "Which requests").pipe(
      Flag.withDefault("pending")
    ),
    ...flagsOfStorage
  },
  Effect.fnUntraced(function* ({ status, ...flags }) {
    const query = status === "all" ? {} : { status }
    const found = yield* operate(flags, operator, (api) => api.operator.listDeletionRequests({ query }))
    for (const request of found ?? []) {
      const { id, organizationId, administratorId, requestReason = "" } = request
      yield* Console.log(
        `${id}\t${request.status}\torganization ${organizationId}\t${administratorId}\t${requestReason}`
      )
    }
  })
).pipe(Command.withDescription("Lists deletion requests: id, status, organization, who asked, reason"))

const conclusion = (name: "approve" | "reject", description: string) =>
  Command.make(
    name,
    { id: Argument.String("id").pipe(Argument.withDescription("The id of the request")), ...flagsOfStorage },
    Effect.fnUntraced(function* ({ id: text, ...flags }) {
      const id = yield* decodeId(DeletionRequestId, "id", text)
      const request = { params: { id } }
      yield* operate(flags, operator, ({ operator }) =>
        name === "approve" ? operator.approveDeletionRequest(request) : operator.rejectDeletionRequest(request)
      )
    })
  ).pipe(Command.withDescription(description))

export const deletionRequest = Command.make("deletion-request").pipe(
  Command.withDescription("The operator's work on deletion requests"),
  Command.withSubcommands([
    requests,
    conclusion("approve", "Grants a request: the organization is deleted with all that it owns"),
    conclusion("reject", "Refuses a request; another may be made")
  ])
)

/** Completes the OpenAPI document that Effect derives from the definition: refusals, what statuses and parameters mean, and examples. */
import { describeDeliveries } from "./deliveries.ts"
import { describeSchema, mapValues } from "./describeSchema.ts"
import { PROBLEM_TYPE } from "./refusals.ts"

/** What each status means, wherever it is answered. */
const STATUSES: Readonly<Record<string, string>> = {
  "200": "What was asked for, or what was changed as it is now",
  "201": "It was written down: what is answered is how",
  "202": "The exit was written down",
  "204": "Done, or there is nothing: no body",
  "205": "It is gone: no body",
  "400": "The request is malformed, or the rules do not allow it",
  "401": "The credentials are missing or not valid",
  "403": "The caller is of the wrong kind, or may not do this",
  "404": "What is addressed does not exist",
  "409": "What is there stands against it, such as an earlier decision",
  "413": "The body is larger than the service takes",
  "415": "The body is of another media type than the endpoint's",
  "429": "This was asked too often: ask again after `Retry-After`",
  "502": "The organization's authentication server cannot be reached",
  "503": "The service cannot do this now: ask again after `Retry-After`",
  "504": "The organization's authentication server does not answer in time"
}

/** What each parameter means: a name stands for one thing wherever it is. */
const PARAMETERS: Readonly<Record<string, string>> = {
  organizationId: "The organization's id: digits. One that was never issued is 404.",
  placeId: "The place's id: digits. One that was never issued is 404.",
  exitTokens: "Exit tokens, separated by commas, 100 at most.",
  orgAuthServerIds: "People's ids on the organization's authentication server, separated by commas, 100 at most.",
  musterId: "The muster's id: digits. One that was never issued is 404.",
  deviceId: "The device's id: digits. One that was never issued is 404.",
  webhookId: "The webhook's id: digits. One that was never issued is 404.",
  from: "The beginning, RFC 3339. That of a history is rounded down to a whole step.",
  to: "The end, RFC 3339, after `from`. That of a history is rounded up to a whole step.",
  orgAuthServerId: "A person's id on the organization's authentication server; repeated, 100 at most.",
  premises: "`own`: without the places of the organization.",
  limit: "How many at most, from 1 to 1,000; left out: 100.",
  after: "The `next` of the part before; left out: from the first.",
  action: "The whole name of an action; left out: of any.",
  actor: "The id of an actor; left out: of any.",
  step: "How long each row is about, in UTC.",
  administratorId: "The caller's own id.",
  userId: "The caller's own id.",
  id: "The deletion request's id: digits.",
  organizations: "Ids of organizations, separated by commas, 20 at most. One that was never issued is 404.",
  lastEventId: "The id of a message, to go on after it: for clients that cannot send the header.",
  "last-event-id": "The id of a message, to go on after it.",
  level: "The floor: an integer from -100 to 300; left out: 0.",
  west: "The western edge of the image before it is turned, in degrees of longitude.",
  south: "The southern edge of the image before it is turned, in degrees of latitude.",
  east: "The eastern edge of the image before it is turned, in degrees of longitude.",
  north: "The northern edge of the image before it is turned, in degrees of latitude.",
  rotation: "How far the image is turned clockwise around its middle, in degrees; left out: 0.",
  timeZone: "The name of a time zone, or `organization`: that of the organization; left out: UTC.",
  dryRun: "`true`: nothing changes, and what would be is answered.",
  status: "Of this status alone; left out: of any.",
  "idempotency-key": "An entrance that the same user repeats with it within 24 hours opens no second stay."
}

/** The parts of an OpenAPI document that this module says more about. */
interface Described {
  readonly [field: string]: unknown
  readonly description?: string | undefined
}

interface DescribedResponse extends Described {
  readonly content?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface DescribedOperation extends Described {
  readonly parameters?: ReadonlyArray<Described & { readonly name: string }>
  readonly responses: Readonly<Record<string, DescribedResponse>>
}

/** What a refusal answers to a client that asks for problems, whatever the status. */
const PROBLEM_RESPONSE: DescribedResponse = {
  description: `Any refusal, where \`Accept\` names \`${PROBLEM_TYPE}\`; refusals have no body otherwise`,
  content: { [PROBLEM_TYPE]: { schema: { $ref: "#/components/schemas/Problem" } } }
}

const text = (description: string) => ({ description, schema: { type: "string" } })

const RETRY_AFTER = { "Retry-After": { ...text("After how many seconds to ask again."), schema: { type: "integer" } } }

/** The headers of refusals for now. */
const REFUSAL_HEADERS: Readonly<Record<string, Described>> = {
  "429": {
    ...RETRY_AFTER,
    RateLimit: text(
      "How many requests are left, `r`, and the seconds until there are more, `t`; on each limited answer."
    ),
    "RateLimit-Policy": text("The limit: `q` requests in `w` seconds; on each limited answer.")
  },
  "503": RETRY_AFTER
}

const isRefusal = (status: string): boolean => Number(status) >= 400

/** An answer of one status. That of a refusal is what clients get that do not ask for problems: without a body. */
const describeResponse = ({ content, ...response }: DescribedResponse, status: string): DescribedResponse => ({
  ...response,
  ...(isRefusal(status)
    ? status in REFUSAL_HEADERS && { headers: REFUSAL_HEADERS[status] }
    : content !== undefined && { content: mapValues(content, withoutCause) }),
  description: STATUSES[status] ?? response.description
})

const describeOperation = (operation: DescribedOperation): DescribedOperation => ({
  ...operation,
  ...(operation.parameters !== undefined && {
    parameters: operation.parameters.map((parameter) => ({
      ...parameter,
      description: parameter.description ?? PARAMETERS[parameter.name]
    }))
  }),
  responses: {
    ...mapValues(operation.responses, describeResponse),
    ...(Object.keys(operation.responses).some(isRefusal) && { default: PROBLEM_RESPONSE })
  }
})

/** A stream never reveals why it broke, as Effect's own encoder would. */
const withoutCause = ({ "x-effect-stream": _, ...type }: Readonly<Record<string, unknown>>) => type

/** Says in the OpenAPI document what holds of every endpoint alike, and which deliveries there are. */
export const describeDocument = (document: Record<string, any>): Record<string, any> => ({
  ...document,
  paths: mapValues(document["paths"], (item: Record<string, DescribedOperation>) => mapValues(item, describeOperation)),
  webhooks: describeDeliveries("webhook (extension)"),
  components: {
    ...document["components"],
    // Schemes are of any case; Scalar knows those in lower case.
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    schemas: mapValues(document["components"].schemas, describeSchema)
  }
})

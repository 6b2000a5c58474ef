/** The refusals of the interface, a class for each status, and their form as problems (RFC 9457). */
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as ProblemDetails from "effect/http/ProblemDetails"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { WireAreaFault } from "../../wire/areas/areaFault.ts"
import { usualProblemUri } from "./problems.ts"

/** The media type of an RFC 9457 problem, which a client asks for with its `Accept` header. */
export const PROBLEM_TYPE = ProblemDetails.contentType

const Problem = Schema.Struct({
  type: Schema.String.annotate({
    format: "uri",
    description: "The kind of the problem: one of `x-problem-types`, or one that a later version adds."
  }),
  title: Schema.String.annotate({ description: "What HTTP calls the status." }),
  status: Schema.Int.annotate({ description: "The status of the answer." }),
  detail: Schema.optionalKey(Schema.String).annotate({
    description: "What it means and what to do about it, for people."
  }),
  areaFault: Schema.optionalKey(WireAreaFault)
}).annotate({ identifier: "Problem" })

/** An RFC 9457 problem: its kind and status, and what to do about it; with a refused area, where it is wrong. */
export type Problem = typeof Problem.Encoded

/** What errors are called, as HTTP calls their statuses (RFC 9110). */
export const TITLES = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout"
} as const

/** What refusals say. */
interface Said {
  readonly type?: string | undefined
  readonly detail?: string | undefined
  readonly areaFault?: typeof WireAreaFault.Type | undefined
}

/** A refusal as it travels: a problem of its status. Clients that did not ask for problems get an empty body. */
const asProblem =
  (status: keyof typeof TITLES) =>
  <S extends Schema.Constraint & (new (props: Said) => S["Type"])>(self: S) =>
    Problem.pipe(
      Schema.decodeTo(
        Schema.toType(self),
        SchemaTransformation.transform({
          decode: ({ type, detail, areaFault }: typeof Problem.Type) => new self({ type, detail, areaFault }),
          encode: (refusal: S["Type"]): typeof Problem.Type => {
            const { type, detail, areaFault } = refusal as Said
            return {
              type: type ?? usualProblemUri(status),
              title: TITLES[status],
              status,
              ...(detail !== undefined && { detail }),
              ...(areaFault !== undefined && { areaFault })
            }
          }
        })
      ),
      HttpApiSchema.asJson({ contentType: PROBLEM_TYPE })
    )

const detail = {
  /** The `type` of the problem: the kind of refusal. Left out: the usual kind of the status. */
  type: Schema.optional(Schema.String),
  detail: Schema.optional(Schema.String),
  /** What the log says in place of the detail, where that may hold what a client sent or what is known of people. It is never sent. */
  logged: Schema.optional(Schema.String)
}

/** 400: the request is malformed, or the rules do not allow it. */
export class BadRequest extends Schema.TaggedError<BadRequest>()(
  "BadRequest",
  { ...detail, areaFault: Schema.optional(Schema.toType(WireAreaFault)) },
  { httpApiStatus: 400 }
) {}
/** 401: the credentials are missing or not valid. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", detail, { httpApiStatus: 401 }) {}
/** 403: the caller is of the wrong kind, or may not do this. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", detail, { httpApiStatus: 403 }) {}
/** 404: what is addressed does not exist. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", detail, { httpApiStatus: 404 }) {}
/** 409: what is there stands against it, such as an earlier decision. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", detail, { httpApiStatus: 409 }) {}
/** 413: the body is larger than the service takes. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", detail, {
  httpApiStatus: 413
}) {}
/** 415: the body is of another media type than the endpoint's. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", detail, {
  httpApiStatus: 415
}) {}
/** 429: too many such requests; the request may be repeated later. */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", detail, {
  httpApiStatus: 429
}) {}
/** 502: the organization's authentication server cannot be reached. */
export class BadGateway extends Schema.TaggedError<BadGateway>()("BadGateway", detail, { httpApiStatus: 502 }) {}
/** 503: the service cannot do this now; the request may be repeated. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("ServiceUnavailable", detail, {
  httpApiStatus: 503
}) {}
/** 504: the organization's authentication server does not answer in time. */
export class GatewayTimeout extends Schema.TaggedError<GatewayTimeout>()("GatewayTimeout", detail, {
  httpApiStatus: 504
}) {}

/** The refusals as endpoints declare them. */
export const Refusals = {
  badRequest: BadRequest.pipe(asProblem(400)),
  unauthorized: Unauthorized.pipe(asProblem(401)),
  forbidden: Forbidden.pipe(asProblem(403)),
  notFound: NotFound.pipe(asProblem(404)),
  conflict: Conflict.pipe(asProblem(409)),
  payloadTooLarge: PayloadTooLarge.pipe(asProblem(413)),
  unsupportedMediaType: UnsupportedMediaType.pipe(asProblem(415)),
  tooManyRequests: TooManyRequests.pipe(asProblem(429)),
  badGateway: BadGateway.pipe(asProblem(502)),
  serviceUnavailable: ServiceUnavailable.pipe(asProblem(503)),
  gatewayTimeout: GatewayTimeout.pipe(asProblem(504))
}

/** Any of them. */
export type Refusal = (typeof Refusals)[keyof typeof Refusals]["Type"]

import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** The media type of an RFC 9457 problem, which a client asks for with its `Accept` header. */
export const PROBLEM_TYPE = "application/problem+json"

const Problem = Schema.Struct({
  type: Schema.String,
  title: Schema.String,
  status: Schema.Int,
  detail: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Problem" })

/** An RFC 9457 problem: a status, what it is called, and what to do about it. */
export type Problem = typeof Problem.Type

/** A refusal as it travels: a problem of its status. Clients that did not ask for problems get an empty body. */
const asProblem =
  (status: number, title: string) =>
  <S extends Schema.Constraint & (new (props: { readonly detail?: string | undefined }) => S["Type"])>(self: S) =>
    Problem.pipe(
      Schema.decodeTo(
        Schema.toType(self),
        SchemaTransformation.transform({
          decode: (problem: Problem) => new self({ detail: problem.detail }),
          encode: (refusal: S["Type"]): Problem => {
            const { detail } = refusal as { readonly detail?: string }
            return { type: "about:blank", title, status, ...(detail !== undefined && { detail }) }
          }
        })
      ),
      HttpApiSchema.asJson({ contentType: PROBLEM_TYPE })
    )

const detail = { detail: Schema.optional(Schema.String) }

/** 400: the request is malformed, or the rules do not allow it. */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", detail, { httpApiStatus: 400 }) {}
/** 401: the credentials prove nobody. */
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
/** 429: this was asked too often; the request may be repeated later. */
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
  badRequest: BadRequest.pipe(asProblem(400, "Bad Request")),
  unauthorized: Unauthorized.pipe(asProblem(401, "Unauthorized")),
  forbidden: Forbidden.pipe(asProblem(403, "Forbidden")),
  notFound: NotFound.pipe(asProblem(404, "Not Found")),
  conflict: Conflict.pipe(asProblem(409, "Conflict")),
  payloadTooLarge: PayloadTooLarge.pipe(asProblem(413, "Content Too Large")),
  unsupportedMediaType: UnsupportedMediaType.pipe(asProblem(415, "Unsupported Media Type")),
  tooManyRequests: TooManyRequests.pipe(asProblem(429, "Too Many Requests")),
  badGateway: BadGateway.pipe(asProblem(502, "Bad Gateway")),
  serviceUnavailable: ServiceUnavailable.pipe(asProblem(503, "Service Unavailable")),
  gatewayTimeout: GatewayTimeout.pipe(asProblem(504, "Gateway Timeout"))
}

/** Any of them. */
export type Refusal = (typeof Refusals)[keyof typeof Refusals]["Type"]

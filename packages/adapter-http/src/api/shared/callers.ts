/** Which kinds of callers an endpoint admits, as middleware of the definition. `pipeline/admission.ts` makes the checks. */
import type { Administrator, DeviceCaller, DisplayCaller, Operator, User } from "@sojourn/core"
import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import { Refusals } from "./refusals.ts"

/** The calling app user. */
export class CurrentUser extends Context.Service<CurrentUser, User>()("@sojourn/adapter-http/CurrentUser") {}

/** The calling web-app administrator. */
export class CurrentAdministrator extends Context.Service<CurrentAdministrator, Administrator>()(
  "@sojourn/adapter-http/CurrentAdministrator"
) {}

/** The calling operator. */
export class CurrentOperator extends Context.Service<CurrentOperator, Operator>()(
  "@sojourn/adapter-http/CurrentOperator"
) {}

/** The calling device. */
export class CurrentDevice extends Context.Service<CurrentDevice, DeviceCaller>()(
  "@sojourn/adapter-http/CurrentDevice"
) {}

/** The calling user or administrator, where both may call. */
export class CurrentCaller extends Context.Service<CurrentCaller, User | Administrator>()(
  "@sojourn/adapter-http/CurrentCaller"
) {}

/** The calling administrator or display, where both may call. */
export class CurrentReader extends Context.Service<CurrentReader, Administrator | DisplayCaller>()(
  "@sojourn/adapter-http/CurrentReader"
) {}

/** The calling user, administrator or display, where all may call. */
export class CurrentVisitor extends Context.Service<CurrentVisitor, User | Administrator | DisplayCaller>()(
  "@sojourn/adapter-http/CurrentVisitor"
) {}

const options = {
  security: {
    bearer: HttpApiSecurity.bearer
  },
  error: [
    Refusals.unauthorized,
    Refusals.tooManyRequests,
    Refusals.forbidden,
    Refusals.badRequest,
    Refusals.payloadTooLarge,
    Refusals.unsupportedMediaType,
    Refusals.serviceUnavailable
  ],
  requiredForClient: true
} as const

/** Admits app users alone (spec: accounts#kinds). */
export class Users extends HttpApiMiddleware.Service<Users, { provides: CurrentUser }>()(
  "@sojourn/adapter-http/Users",
  options
) {}

/** Admits web-app administrators alone (spec: accounts#kinds). */
export class Administrators extends HttpApiMiddleware.Service<Administrators, { provides: CurrentAdministrator }>()(
  "@sojourn/adapter-http/Administrators",
  options
) {}

/** Admits users and administrators (spec: accounts#kinds). */
export class UsersAndAdministrators extends HttpApiMiddleware.Service<
  UsersAndAdministrators,
  { provides: CurrentCaller }
>()("@sojourn/adapter-http/UsersAndAdministrators", options) {}

/** Admits administrators, and displays of organizations (spec: devices#displays). */
export class AdministratorsAndDisplays extends HttpApiMiddleware.Service<
  AdministratorsAndDisplays,
  { provides: CurrentReader }
>()("@sojourn/adapter-http/AdministratorsAndDisplays", options) {}

/** Admits users, administrators, and displays of organizations (spec: devices#displays). */
export class UsersAdministratorsAndDisplays extends HttpApiMiddleware.Service<
  UsersAdministratorsAndDisplays,
  { provides: CurrentVisitor }
>()("@sojourn/adapter-http/UsersAdministratorsAndDisplays", options) {}

/** Admits the service's own administrators alone (spec: accounts#kinds). */
export class Operators extends HttpApiMiddleware.Service<Operators, { provides: CurrentOperator }>()(
  "@sojourn/adapter-http/Operators",
  options
) {}

/** Admits devices of organizations that count, alone (spec: devices#devices). */
export class Devices extends HttpApiMiddleware.Service<Devices, { provides: CurrentDevice }>()(
  "@sojourn/adapter-http/Devices",
  options
) {}

/** Admits requests without a token: the credentials are in the request itself. */
export class Unauthenticated extends HttpApiMiddleware.Service<Unauthenticated>()(
  "@sojourn/adapter-http/Unauthenticated",
  {
    error: [Refusals.badRequest, Refusals.payloadTooLarge, Refusals.unsupportedMediaType]
  }
) {}

/** Refuses requests that cannot be decoded with 400. The problem names the part that is wrong. */
export class WellFormed extends HttpApiMiddleware.Service<WellFormed>()("@sojourn/adapter-http/WellFormed", {
  error: Refusals.badRequest
}) {}

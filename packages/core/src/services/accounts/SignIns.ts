/** The use case of sign-ins by password, which does not reveal whether an account exists. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Administrator } from "../../domain/accounts/Caller.ts"
import { AdministratorId } from "../../domain/shared/Ids.ts"
import { Mail, mailKey } from "../../domain/shared/Mail.ts"
import { TaggedError } from "../../domain/shared/TaggedError.ts"
import { AdministratorAccounts } from "../../ports/accounts/AdministratorAccounts.ts"
import { type HashingRequester, PasswordHasher, type PasswordsBusy } from "../../ports/accounts/PasswordHasher.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { type SignInOutcome, SignInThrottle } from "./SignInThrottle.ts"

/** No such account, an account without a password, or a wrong password. The refusal does not say which. */
export class SignInRefused extends TaggedError("SignInRefused", "the username or the password is wrong")<{}> {}

/** Too many attempts of this network failed for this username: the next one is admitted after `wait` milliseconds. */
export class SignInDelayed extends TaggedError(
  "SignInDelayed",
  "too many sign-ins failed for this username from this network"
)<{ readonly wait: number }> {}

const isMail = Schema.is(Mail)
const isAdministratorId = Schema.is(AdministratorId)

/** What attempts are counted by: one spelling for each username, and one name for all texts that cannot be one. */
const attemptsKey = (username: string): string => {
  if (isMail(username)) return mailKey(username)
  return isAdministratorId(username) ? username : ""
}

const outcomeOf = (exit: Exit.Exit<unknown, { readonly _tag: string }>): SignInOutcome => {
  if (Exit.isSuccess(exit)) return "succeeded"
  return exit.cause.reasons.some((reason) => reason._tag === "Fail" && reason.error._tag === "SignInRefused")
    ? "failed"
    : "not checked"
}

/** Signs administrators in who have a password with this service (spec: accounts#sign-in). */
export class SignIns extends Context.Service<
  SignIns,
  {
    /**
     * The administrator whom a password proves, named by mail address or id. `network` is where the attempt comes from: the failures
     * of one network delay no other, and what is under way for one network leaves room for others.
     */
    readonly withPassword: (
      username: string,
      password: Redacted.Redacted<string>,
      network: string
    ) => Effect.Effect<Administrator, SignInRefused | SignInDelayed | PasswordsBusy | StoreError>
  }
>()("@sojourn/core/SignIns") {
  static readonly layer: Layer.Layer<SignIns, never, AdministratorAccounts> = Layer.effect(
    SignIns,
    Effect.gen(function* () {
      const accounts = yield* AdministratorAccounts
      const hashing = Option.getOrUndefined(yield* PasswordHasher)
      if (hashing === undefined) return SignIns.of({ withPassword: () => Effect.fail(new SignInRefused()) })

      const find = (username: string) => {
        if (isMail(username)) return accounts.credential({ mail: username })
        return isAdministratorId(username) ? accounts.credential({ administratorId: username }) : Effect.succeedNone
      }

      const prove = Effect.fnUntraced(function* (
        username: string,
        password: Redacted.Redacted<string>,
        requester: HashingRequester
      ) {
        const found = Option.getOrUndefined(yield* find(username))
        const isProven = yield* hashing.verify(password, found?.passwordHash ?? hashing.dummy, requester)
        if (found === undefined || !isProven) return yield* new SignInRefused()
        // Without the mail address: an owner wrote it down, and the password does not prove whose it is.
        return Administrator(found.account.administratorId)
      })

      const throttle = new SignInThrottle()
      const admit = (name: string, network: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const wait = throttle.admit(name, network, now)
          return wait === 0 ? Effect.void : Effect.fail(new SignInDelayed({ wait }))
        })

      return SignIns.of({
        withPassword: (username, password, network) => {
          const name = attemptsKey(username)
          return Effect.acquireUseRelease(
            admit(name, network),
            () => prove(username, password, { fairnessKey: network, isTrusted: throttle.isKnown(name, network) }),
            (_, exit) =>
              Effect.map(Clock.currentTimeMillis, (now) => throttle.settle(name, network, now, outcomeOf(exit)))
          )
        }
      })
    })
  )
}

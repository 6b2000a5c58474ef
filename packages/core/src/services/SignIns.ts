import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Administrator } from "../domain/Caller.ts"
import { AdministratorId } from "../domain/Ids.ts"
import { Mail } from "../domain/Mail.ts"
import { AdministratorAccounts } from "../ports/AdministratorAccounts.ts"
import { PasswordHasher, type PasswordsBusy } from "../ports/PasswordHasher.ts"
import type { StoreError } from "../ports/StoreError.ts"

/** Nobody is proved: no such account, none with a password, or another password. Which of these, is not told. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{}> {}

const isMail = Schema.is(Mail)
const isAdministratorId = Schema.is(AdministratorId)

/** Signs administrators in who have a password with this service (contract, section 9). */
export class SignIns extends Context.Service<
  SignIns,
  {
    /** The administrator whom a password proves, named by mail address or id. */
    readonly withPassword: (
      username: string,
      password: Redacted.Redacted<string>
    ) => Effect.Effect<Administrator, SignInRefused | PasswordsBusy | StoreError>
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

      return SignIns.of({
        withPassword: Effect.fnUntraced(function* (username, password) {
          const found = Option.getOrUndefined(yield* find(username))
          const isProven = yield* hashing.verify(password, found?.passwordHash ?? hashing.ofNobody)
          if (found === undefined || !isProven) return yield* new SignInRefused()
          // Without the mail address: an owner wrote it down, and the password does not prove whose it is.
          return Administrator(found.account.administratorId)
        })
      })
    })
  )
}

/** The form for signing in: with an OpenID Connect issuer, by user name and password, or by a token. */
import { Refused } from "@sojourn/client"
import type { ComponentChildren, TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import type { SignInIssuer } from "../shared/PageSettings.ts"
import { type Session, sessionOf, signIn } from "../shared/session.ts"
import { settings } from "../shared/settings.ts"
import { sentenceOf } from "../words/sentenceOf.ts"
import { usePage } from "../shared/context.ts"
import { refusalOf } from "./refusal.ts"
import type { Words } from "../words/languages.ts"

const faultOf = (words: Words, failure: unknown): string => {
  const status = failure instanceof Refused ? failure.status : undefined
  if (status === 400) return words.signInWrong
  if (status === 404) return words.signInElsewhere
  if (status === 429) return words.signInDelayed
  return sentenceOf(words, failure)
}

interface SignInProps {
  /** Why the administrator is to sign in again. */
  readonly fault: string
  readonly choice: ComponentChildren
  readonly onSignedIn: (session: Session, keep: boolean) => void
}

export const SignIn = ({ fault: before, choice, onSignedIn }: SignInProps) => {
  const { words } = usePage()
  const [keep, setKeep] = useState(false)
  const [fault, setFault] = useState(before)
  const [isWaiting, setIsWaiting] = useState(false)

  // The first of the ways that are configured leads.
  const hasIssuers = (settings.issuers?.length ?? 0) > 0
  const hasPasswords = settings.passwords !== false
  const finish = (session: Session | undefined) =>
    session === undefined ? setFault(words.tokenWrong) : onSignedIn(session, keep)

  const withPassword = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setIsWaiting(true)
    setFault("")
    try {
      finish(await signIn(String(form.get("username")), String(form.get("password"))))
    } catch (failure) {
      setFault(faultOf(words, failure))
    } finally {
      setIsWaiting(false)
    }
  }
  const withIssuer = async (issuer: SignInIssuer) => {
    setIsWaiting(true)
    setFault("")
    try {
      const { redirectToIssuer } = await import("./openId.ts")
      await redirectToIssuer(issuer, keep)
    } catch (failure) {
      setFault(refusalOf(words, failure))
      setIsWaiting(false)
    }
  }
  const withToken = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    finish(sessionOf(String(new FormData(event.currentTarget).get("token"))))
  }

  return (
    <main class="sign-in">
      <div class="bar">
        <h1>{words.title}</h1>
        {choice}
      </div>
      <p role="alert" class="fault">
        {fault}
      </p>
      {settings.issuers?.map((issuer, nth) => (
        <p key={issuer.issuer}>
          <button
            type="button"
            class={nth === 0 ? "primary" : ""}
            disabled={isWaiting}
            onClick={() => void withIssuer(issuer)}
          >
            {words.signInWith(issuer.label ?? new URL(issuer.issuer).host)}
          </button>
        </p>
      ))}
      {hasPasswords && (
        <form onSubmit={withPassword}>
          <h2>{words.withPassword}</h2>
          <label>
            {words.userName}
            <input name="username" autocomplete="username" required />
          </label>
          <label>
            {words.password}
            <input name="password" type="password" autocomplete="current-password" required />
          </label>
          <button type="submit" class={hasIssuers ? "" : "primary"} disabled={isWaiting}>
            {words.signIn}
          </button>
        </form>
      )}
      <form onSubmit={withToken}>
        <h2>{words.withToken}</h2>
        <label>
          {words.token}
          <input name="token" type="password" autocomplete="off" required />
        </label>
        <button type="submit" class={hasIssuers || hasPasswords ? "" : "primary"}>
          {words.signIn}
        </button>
      </form>
      <label class="check">
        <input type="checkbox" checked={keep} onChange={({ currentTarget }) => setKeep(currentTarget.checked)} />
        {words.keepSession}
      </label>
    </main>
  )
}

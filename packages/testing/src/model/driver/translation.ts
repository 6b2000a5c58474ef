/** Translation between labels and ids, which all `serve` files share. */
import {
  Administrator,
  type AdministratorId,
  AdministratorSubject,
  type DataSubject,
  type Mail,
  MailSubject,
  Operator,
  type OperatorId,
  OperatorSubject,
  type OrgAuthServerId,
  type OrganizationId,
  OrganizationPremises,
  PersonSubject,
  type PlaceId,
  PlacePremises,
  type Premises,
  type PresenceEvent,
  User,
  type UserId,
  UserSubject,
  type Webhook
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { PremisesRef, PasswordName, Request, RequestOf, Subject, Caller } from "../commands.ts"
import { type Directory, passwordText } from "../Driver.ts"
import { type Names, saved } from "../Names.ts"
import { makeAnswers } from "./answers.ts"

/** A success: `value` in the model's terms, and the tokens in it. */
export interface Answered {
  readonly value?: unknown
  readonly tokens?: ReadonlyArray<string>
}

/** Performs requests by the use cases. */
export type Serve = {
  readonly [T in Request["_tag"]]: (request: RequestOf<T>) => Effect.Effect<Answered, { readonly _tag: string }>
}

const idOf = (by: Caller): string => ("id" in by ? by.id : "")

/** Translates between the types of the core and the terms of the commands of one run. */
export const makeTranslation = (names: Names, directory: Directory) => {
  const organizationId = (label: string) => names.id("organization", label) as OrganizationId
  const placeId = (label: string) => names.id("place", label) as PlaceId
  const user = (by: Caller) => User(idOf(by) as UserId)
  const administrator = (by: Caller) =>
    Administrator(idOf(by) as AdministratorId, (by.kind === "administrator" ? by.mail : undefined) as Mail | undefined)
  /** The events that a reader of each organization has read, and the webhooks that each server holds. */
  const read = new Map<OrganizationId, ReadonlyArray<PresenceEvent>>()
  const held = new Map<string, Webhook>()
  return {
    names,
    directory,
    read,
    held,
    /** Saves all that is known of the service; the function that it returns restores it. */
    save: () => {
      const backs = [names.save(), saved([read, held])]
      return () => backs.forEach((back) => back())
    },
    answer: makeAnswers(names, directory),
    user,
    administrator,
    operator: (by: Caller) => Operator(idOf(by) as OperatorId),
    reader: (by: Caller) => (by.kind === "administrator" ? administrator(by) : user(by)),
    organizationId,
    placeId,
    premises: (at: PremisesRef): Premises =>
      "place" in at ? PlacePremises(placeId(at.place)) : OrganizationPremises(organizationId(at.organization)),
    administratorId: <Name extends string | undefined>(name: Name) =>
      (name === undefined ? undefined : names.administratorId(name)) as Name extends string
        ? AdministratorId
        : undefined,
    userId: (id: string | undefined) => id as UserId | undefined,
    mail: <Text extends string | undefined>(text: Text) =>
      text as string | undefined as Text extends string ? Mail : undefined,
    person: (id: string | undefined) => id as OrgAuthServerId | undefined,
    people: (ids: ReadonlyArray<string>) => ids as ReadonlyArray<OrgAuthServerId>,
    subject: (named: Subject): DataSubject => {
      if ("user" in named) return UserSubject(named.user as UserId)
      if ("person" in named) return PersonSubject(organizationId(named.organization), named.person as OrgAuthServerId)
      if ("operator" in named) return OperatorSubject(named.operator as OperatorId)
      if ("mail" in named) return MailSubject(named.mail as Mail)
      return AdministratorSubject(names.administratorId(named.administrator) as AdministratorId)
    },
    credentials: (username: string, password: PasswordName) => ({
      username,
      password: Redacted.make(passwordText(directory, password))
    })
  }
}
export type Translation = ReturnType<typeof makeTranslation>

/** Maps success to the model's terms. */
export const valueOf =
  <A>(toValue: (answered: A) => unknown) =>
  <E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.map(effect, (answered): Answered => ({ value: toValue(answered) }))

/** Maps each item of a list to the model's terms. */
export const each = <A>(toValue: (item: A) => unknown) => valueOf((items: ReadonlyArray<A>) => items.map(toValue))

/** Success without a value. */
export const nothing = Effect.as({} as Answered)

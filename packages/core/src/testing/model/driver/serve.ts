import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Administrator, Operator, User } from "../../../domain/Caller.ts"
import type {
  AdministratorId,
  DeletionRequestId,
  OperatorId,
  OrganizationId,
  OrgAuthServerId,
  PlaceId,
  UserId
} from "../../../domain/Ids.ts"
import type { Mail } from "../../../domain/Mail.ts"
import { OrganizationPremises, PlacePremises, type Premises } from "../../../domain/Premises.ts"
import type { Timestamp } from "../../../domain/Timestamp.ts"
import { Accesses } from "../../../services/Accesses.ts"
import { AccountLinks } from "../../../services/AccountLinks.ts"
import { Administrators } from "../../../services/Administrators.ts"
import { DeletionRequests } from "../../../services/DeletionRequests.ts"
import { Favorites } from "../../../services/Favorites.ts"
import { Movements } from "../../../services/Movements.ts"
import { Organizations } from "../../../services/Organizations.ts"
import { Places } from "../../../services/Places.ts"
import { Presence } from "../../../services/Presence.ts"
import { Reports } from "../../../services/Reports.ts"
import type { At, Request, Who } from "../commands.ts"
import { type Directory, passwordText, serverUrl } from "../Driver.ts"
import { maxAreaOfCells, textOfDrawing } from "../ground.ts"
import type { Names } from "../Names.ts"
import { makeAnswers } from "./answers.ts"

/** What was answered, before it is known whether by success: `value` as the model says it, and the tokens in it. */
export interface Answered {
  readonly value?: unknown
  readonly tokens?: ReadonlyArray<string>
}

const idOf = (by: Who): string => ("id" in by ? by.id : "")
const user = (by: Who) => User(idOf(by) as UserId)
const operator = (by: Who) => Operator(idOf(by) as OperatorId)
const administrator = (by: Who) =>
  Administrator(idOf(by) as AdministratorId, (by.kind === "administrator" ? by.mail : undefined) as Mail | undefined)
const reader = (by: Who) => (by.kind === "administrator" ? administrator(by) : user(by))
const person = (id: string | undefined) => id as OrgAuthServerId | undefined
const people = (ids: ReadonlyArray<string>) => ids as ReadonlyArray<OrgAuthServerId>

/** Asks the use cases of the core. */
export const makeServe = Effect.fnUntraced(function* (names: Names, directory: Directory) {
  const accesses = yield* Accesses
  const links = yield* AccountLinks
  const administrators = yield* Administrators
  const deletions = yield* DeletionRequests
  const favorites = yield* Favorites
  const movements = yield* Movements
  const organizations = yield* Organizations
  const places = yield* Places
  const presence = yield* Presence
  const reports = yield* Reports

  const answer = makeAnswers(names, directory)
  const organizationId = (label: string) => names.id("organization", label) as OrganizationId
  const placeId = (label: string) => names.id("place", label) as PlaceId
  const administratorId = <Name extends string | undefined>(name: Name) =>
    (name === undefined ? undefined : names.administratorId(name)) as Name extends string ? AdministratorId : undefined
  const premises = (at: At): Premises =>
    "place" in at ? PlacePremises(placeId(at.place)) : OrganizationPremises(organizationId(at.organization))
  const valueOf =
    <A>(toValue: (answered: A) => unknown) =>
    <E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.map(effect, (answered): Answered => ({ value: toValue(answered) }))
  const each = <A>(toValue: (item: A) => unknown) => valueOf((items: ReadonlyArray<A>) => items.map(toValue))
  const nothing = Effect.as({} as Answered)
  const credentials = (username: string, password: "right" | "wrong" | "empty") => ({
    username,
    password: Redacted.make(passwordText(directory, password))
  })

  return (request: Request): Effect.Effect<Answered, { readonly _tag: string }> => {
    const { by } = request
    switch (request._tag) {
      case "Enter":
        return Effect.map(
          movements.track(user(by), {
            _tag: "Entrance",
            premises: premises(request.at),
            timestamp: request.time as Timestamp | undefined,
            orgAuthServerId: person(request.person),
            idempotencyKey: request.key
          }),
          ({ timestamp, exitToken, orgAuthServerId }) => {
            names.bindToken(request.stay, exitToken)
            return { value: { time: timestamp, person: orgAuthServerId }, tokens: [exitToken] }
          }
        )
      case "Leave":
        return Effect.map(
          movements.track(user(by), {
            _tag: "Exit",
            premises: premises(request.at),
            exitToken: names.token(request.token),
            timestamp: request.time as Timestamp | undefined,
            orgAuthServerId: person(request.person)
          }),
          ({ timestamp, exitToken, orgAuthServerId }) => ({
            value: { time: timestamp, person: orgAuthServerId },
            tokens: [exitToken]
          })
        )
      case "CreateOrganization": {
        const { title, mode, server, drawing, owner, cells } = request
        const draft = {
          name: title,
          trackingMode: mode,
          trackingArea: textOfDrawing(drawing),
          authenticationServerURL: server && serverUrl(directory, server),
          maxArea: cells && maxAreaOfCells(cells)
        }
        const first = { administratorId: owner.administrator as AdministratorId, mail: owner.mail as Mail }
        return Effect.map(organizations.create(operator(by), draft, first), (created) => {
          names.bind("organization", request.organization, created.id)
          return { value: answer.organization(created) }
        })
      }
      case "EditOrganization": {
        const { title, description, mode, server, drawing } = request
        const edit = {
          name: title,
          description,
          trackingMode: mode,
          authenticationServerURL: typeof server === "string" ? serverUrl(directory, server) : server,
          trackingArea: drawing && textOfDrawing(drawing)
        }
        return organizations
          .edit(administrator(by), organizationId(request.organization), edit)
          .pipe(valueOf(answer.organization))
      }
      case "EditTrackingArea":
        return organizations
          .editTrackingArea(administrator(by), organizationId(request.organization), textOfDrawing(request.drawing))
          .pipe(valueOf(answer.organization))
      case "ConstrainArea": {
        const maxArea = request.cells === null ? undefined : maxAreaOfCells(request.cells)
        return organizations.constrain(operator(by), organizationId(request.organization), maxArea).pipe(
          valueOf((one) => ({
            organization: request.organization,
            cells: one.maxArea === undefined ? undefined : request.cells
          }))
        )
      }
      case "ReadOrganization":
        return organizations.get(reader(by), organizationId(request.organization)).pipe(valueOf(answer.organization))
      case "ListOrganizations":
        return organizations.list(user(by)).pipe(each(answer.organization))
      case "CreatePlace": {
        const { organization, title, drawing } = request
        const draft = {
          organizationId: organizationId(organization),
          name: title,
          trackingArea: textOfDrawing(drawing)
        }
        return Effect.map(places.create(administrator(by), draft), (created) => {
          names.bind("place", request.place, created.id)
          return { value: answer.place(created) }
        })
      }
      case "EditPlace": {
        const { organization, title, drawing } = request
        const edit = {
          organizationId: organization === undefined ? undefined : organizationId(organization),
          name: title,
          trackingArea: drawing && textOfDrawing(drawing)
        }
        return places.edit(administrator(by), placeId(request.place), edit).pipe(valueOf(answer.place))
      }
      case "RemovePlace":
        return nothing(places.remove(administrator(by), placeId(request.place)))
      case "ListPlaces":
        return places.list(reader(by), organizationId(request.organization)).pipe(each(answer.place))
      case "Register": {
        const account = { administratorId: administratorId(request.administrator), mail: request.mail as Mail }
        return administrators
          .register(operator(by), account)
          .pipe(valueOf(({ administratorId, mail }) => ({ administrator: administratorId, mail })))
      }
      case "Bind":
        return administrators
          .bind(administrator(by), {
            organizationId: organizationId(request.organization),
            administrator: {
              administratorId: administratorId(request.administrator),
              mail: request.mail as Mail | undefined
            },
            level: request.level,
            orgAuthServerId: person(request.person)
          })
          .pipe(valueOf(answer.permission))
      case "Create":
        return administrators
          .create(administrator(by), {
            organizationId: organizationId(request.organization),
            administrator: {
              administratorId: administratorId(request.administrator),
              mail: request.mail as Mail
            },
            level: request.level,
            orgAuthServerId: person(request.person)
          })
          .pipe(valueOf(answer.permission))
      case "Unbind":
        return nothing(
          administrators.unbind(administrator(by), {
            organizationId: organizationId(request.organization),
            administratorId: administratorId(request.administrator)
          })
        )
      case "ChangeLevel":
        return administrators
          .changeLevel(administrator(by), organizationId(request.organization), {
            administratorId: administratorId(request.administrator),
            level: request.level,
            mail: request.mail as Mail | undefined,
            orgAuthServerId: person(request.person),
            nominatedBy: request.nominatedBy as AdministratorId | undefined
          })
          .pipe(valueOf(answer.permission))
      case "ListPermissions":
        return administrators
          .listByOrganization(administrator(by), organizationId(request.organization))
          .pipe(each(answer.permission))
      case "ListOwnPermissions":
        return administrators.listOwn(administrator(by)).pipe(each(answer.permission))
      case "AddFavorite":
        return favorites
          .add(user(by), {
            organizationId: organizationId(request.organization),
            userId: request.user as UserId | undefined,
            orgAuthServerId: person(request.person)
          })
          .pipe(
            valueOf(({ favorite, organization }) => ({
              user: favorite.userId,
              person: favorite.orgAuthServerId,
              created: favorite.creationDate,
              organization: answer.organization(organization)
            }))
          )
      case "RemoveFavorite":
        return nothing(
          favorites.remove(user(by), {
            organizationId: organizationId(request.organization),
            userId: request.user as UserId | undefined
          })
        )
      case "ListFavorites":
        return favorites.list(user(by), request.user as UserId).pipe(each(answer.organization))
      case "Link":
        return links
          .link(user(by), organizationId(request.organization), credentials(request.username, request.password))
          .pipe(valueOf((link) => ({ organization: request.organization, person: link.orgAuthServerId })))
      case "Unlink":
        return nothing(links.unlink(user(by), organizationId(request.organization)))
      case "AskPeople":
        return links
          .information(
            administrator(by),
            organizationId(request.organization),
            credentials(request.username, request.password),
            typeof request.people === "string" ? request.people : people(request.people)
          )
          .pipe(each(({ orgAuthServerId, name, surname }) => ({ person: orgAuthServerId, name, surname })))
      case "RequestDeletion":
        return nothing(
          deletions.request(administrator(by), {
            organizationId: organizationId(request.organization),
            reason: request.reason,
            administratorId: administratorId(request.administrator)
          })
        )
      case "Decide":
        return Effect.flatMap(deletions.list(operator(by), Option.none()), (all) => {
          const own = all.filter((one) => one.organizationId === organizationId(request.organization))
          const id = own[request.nth]?.id ?? (names.id("organization", "never") as bigint as DeletionRequestId)
          return nothing((request.verdict === "approved" ? deletions.approve : deletions.reject)(operator(by), id))
        })
      case "ListDeletionRequests":
        return deletions.list(operator(by), Option.fromUndefinedOr(request.status)).pipe(each(answer.deletionRequest))
      case "ReadCounter":
        return presence
          .counter(administrator(by), premises(request.at))
          .pipe(valueOf((counted) => ({ at: answer.premises(counted.premises), counter: counted.counter })))
      case "ReadAccessesByToken":
        return Effect.map(
          accesses.anonymous(
            premises(request.at),
            request.tokens.map((token) => names.token(token))
          ),
          (found) => ({
            value: found.map(({ stay }) => answer.access({ stay })),
            tokens: found.map(({ exitToken }) => exitToken)
          })
        )
      case "ReadAccessesOfPeople":
        return by.kind === "administrator"
          ? accesses.ofPeople(administrator(by), premises(request.at), people(request.people)).pipe(each(answer.access))
          : accesses.own(user(by), premises(request.at), people(request.people)).pipe(each(answer.access))
      case "ReadReport":
        return reports.timePerUser(administrator(by), placeId(request.place)).pipe(
          each((time) => ({
            place: names.label("place", time.placeId),
            person: time.orgAuthServerId,
            seconds: time.totalTime
          }))
        )
    }
  }
})

/** The reference model of a whole command: whether the caller may ask at all, and which rule answers. */
import type { Request, Who } from "../commands.ts"
import { type Outcome, refused } from "../outcomes.ts"
import { mark, type World } from "../World.ts"
import { decide, listDeletionRequests, requestDeletion } from "./deletions.ts"
import { enter, leave } from "./movements.ts"
import {
  constrainArea,
  createOrganization,
  editOrganization,
  editTrackingArea,
  listOrganizations,
  readOrganization
} from "./organizations.ts"
import { addFavorite, askPeople, link, listFavorites, removeFavorite, unlink } from "./people.ts"
import {
  bind,
  changeLevel,
  create,
  listOwnPermissions,
  listPermissions,
  register,
  signIn,
  unbind
} from "./permissions.ts"
import { erase } from "./personalData.ts"
import { createPlace, editPlace, listPlaces, removePlace } from "./places.ts"
import { readCapacity, readFeed, setCapacity, tell } from "./feed.ts"
import { keepHistory, readHistory } from "./histories.ts"
import { endMuster, listInside, listMusters, markSafe, readMuster, startMuster } from "./musters.ts"
import { changePolicy } from "./policies.ts"
import { readAccessesByToken, readAccessesOfPeople, readCounter, readReport } from "./readings.ts"
import { createWebhook, deliver, enableWebhook, listWebhooks, removeWebhook } from "./webhooks.ts"

type Kind = "user" | "administrator" | "operator"
type Rules = {
  readonly [Tag in Request["_tag"]]: readonly [
    kinds: ReadonlyArray<Kind>,
    rule: (world: World, command: Extract<Request, { readonly _tag: Tag }>) => Outcome
  ]
}

/** Who may ask what (spec: accounts#kinds), and by which rule it is answered. */
const RULES: Rules = {
  Enter: [["user"], enter],
  Leave: [["user"], leave],
  CreateOrganization: [["operator"], createOrganization],
  EditOrganization: [["administrator"], editOrganization],
  EditTrackingArea: [["administrator"], editTrackingArea],
  ConstrainArea: [["operator"], constrainArea],
  ReadOrganization: [["user", "administrator"], readOrganization],
  ListOrganizations: [["user"], listOrganizations],
  CreatePlace: [["administrator"], createPlace],
  EditPlace: [["administrator"], editPlace],
  RemovePlace: [["administrator"], removePlace],
  ListPlaces: [["user", "administrator"], listPlaces],
  Register: [["operator"], register],
  Bind: [["administrator"], bind],
  Create: [["administrator"], create],
  Unbind: [["administrator"], unbind],
  ChangeLevel: [["administrator"], changeLevel],
  ListPermissions: [["administrator"], listPermissions],
  ListOwnPermissions: [["administrator"], listOwnPermissions],
  AddFavorite: [["user"], addFavorite],
  RemoveFavorite: [["user"], removeFavorite],
  ListFavorites: [["user"], listFavorites],
  Link: [["user"], link],
  Unlink: [["user"], unlink],
  AskPeople: [["administrator"], askPeople],
  RequestDeletion: [["administrator"], requestDeletion],
  Decide: [["operator"], decide],
  ListDeletionRequests: [["operator"], listDeletionRequests],
  ChangePolicy: [["operator"], changePolicy],
  Erase: [["operator"], erase],
  ReadCounter: [["administrator"], readCounter],
  ReadAccessesByToken: [["user"], readAccessesByToken],
  ReadAccessesOfPeople: [["user", "administrator"], readAccessesOfPeople],
  ReadReport: [["administrator"], readReport],
  SetCapacity: [["administrator"], setCapacity],
  ReadCapacity: [["administrator"], readCapacity],
  Tell: [["operator"], tell],
  ReadFeed: [["administrator"], readFeed],
  ReadHistory: [["administrator"], readHistory],
  KeepHistory: [["operator"], keepHistory],
  ListInside: [["administrator"], listInside],
  StartMuster: [["administrator"], startMuster],
  ListMusters: [["administrator"], listMusters],
  ReadMuster: [["administrator"], readMuster],
  MarkSafe: [["administrator"], markSafe],
  EndMuster: [["administrator"], endMuster],
  CreateWebhook: [["administrator"], createWebhook],
  ListWebhooks: [["administrator"], listWebhooks],
  RemoveWebhook: [["administrator"], removeWebhook],
  EnableWebhook: [["administrator"], enableWebhook],
  Deliver: [["operator"], deliver]
}

/** Is a caller of this kind one of those who may ask? */
export const isAdmitted = (by: Who, tag: Request["_tag"]): boolean => RULES[tag][0].some((kind) => kind === by.kind)

/** What the request is to be answered, and the world as it leaves it: credentials, then the kind of caller, then the rule. */
export const run = (world: World, request: Request): Outcome => {
  const { by, _tag } = request
  if (by.kind === "nobody" || by.kind === "stranger") {
    mark(world, "credentials refused")
    return refused("NotAuthenticated")
  }
  signIn(world, by)
  if (!isAdmitted(by, _tag)) {
    mark(world, "caller of the wrong kind refused")
    return refused("WrongKind")
  }
  return (RULES[_tag][1] as (world: World, request: Request) => Outcome)(world, request)
}

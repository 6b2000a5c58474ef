/** Bounds on questions to authentication servers that are underway at once: in all, by caller and by organization. */
import * as Result from "effect/Result"
import type { Administrator, User } from "./Caller.ts"
import type { OrganizationId } from "../shared/Ids.ts"
import { TaggedError } from "../shared/TaggedError.ts"

/** How many questions to authentication servers may be underway at once in one process. */
export interface DirectoryQuestionBounds {
  /** Over all organizations. */
  readonly total: number
  /** For each organization, whatever servers its URL names in turn. */
  readonly organization: number
  /** For each caller, over all organizations. */
  readonly caller: number
}

/** The bounds that hold unless the composition root provides others. */
export const defaultDirectoryQuestionBounds: DirectoryQuestionBounds = { total: 256, organization: 32, caller: 8 }

/** A question that is underway: for whom, and who asks. */
export interface DirectoryQuestion {
  readonly organizationId: OrganizationId
  readonly caller: User | Administrator
}

/**
 * Too many questions to authentication servers are underway, of this organization or of all. The request may be repeated.
 */
export class DirectoriesBusy extends TaggedError(
  "DirectoriesBusy",
  "the queue of queries to authentication servers is full"
)<{}> {}

/** The caller has as many questions to authentication servers underway as one caller may. */
export class TooManyDirectoryQuestions extends TaggedError(
  "TooManyDirectoryQuestions",
  "the caller has too many queries to authentication servers in flight"
)<{}> {}

const callerOf = ({ caller }: DirectoryQuestion): string =>
  `${caller._tag} ${caller._tag === "User" ? caller.userId : caller.administratorId}`

const organizationOf = ({ organizationId }: DirectoryQuestion): OrganizationId => organizationId

/** The newest question of the group that has the most, if that group has at least two more than the newcomer's. */
const surplus = <Q extends DirectoryQuestion>(
  underway: ReadonlyArray<Q>,
  newcomer: DirectoryQuestion,
  groupOf: (question: DirectoryQuestion) => unknown
): Q | undefined => {
  const groups = Map.groupBy(underway, groupOf)
  let largest: ReadonlyArray<Q> = []
  for (const group of groups.values()) if (group.length > largest.length) largest = group
  const own = groups.get(groupOf(newcomer))?.length ?? 0
  return largest.length >= own + 2 ? largest.at(-1) : undefined
}

/**
 * Decides on a new question beside those underway, oldest first: answers the question that is ended in its favour, if one has to be.
 *
 * When a bound is reached, a place goes from the group that holds the most to one that holds at least two fewer (max-min fairness):
 * among the callers of one organization, and among all organizations. So N organizations whose servers hang hold the places of
 * others only while each has fewer than two, which takes `total` of them. The newest question of the group ends, as it lost least.
 */
export const admitQuestion = <Q extends DirectoryQuestion>(
  underway: ReadonlyArray<Q>,
  newcomer: DirectoryQuestion,
  bounds: DirectoryQuestionBounds
): Result.Result<Q | undefined, DirectoriesBusy | TooManyDirectoryQuestions> => {
  if (underway.filter((question) => callerOf(question) === callerOf(newcomer)).length >= bounds.caller) {
    return Result.fail(new TooManyDirectoryQuestions())
  }
  const ofOrganization = underway.filter(({ organizationId }) => organizationId === newcomer.organizationId)
  const isOrganizationFull = ofOrganization.length >= bounds.organization
  if (!isOrganizationFull && underway.length < bounds.total) return Result.succeed(undefined)
  const ended = isOrganizationFull
    ? surplus(ofOrganization, newcomer, callerOf)
    : surplus(underway, newcomer, organizationOf)
  return ended === undefined ? Result.fail(new DirectoriesBusy()) : Result.succeed(ended)
}

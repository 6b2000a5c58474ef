/** The use cases on stores in memory, which the same commands on other services are compared with. */
import { layerStores, Snapshots } from "@sojourn/adapter-memory"
import { checkModel, servicesOracle, type StartDriver } from "@sojourn/testing"
import { Effect } from "effect"
import { expect } from "vitest"

export const oracle = servicesOracle(
  layerStores,
  Snapshots.use(({ take }) => take)
)

/** SOJOURN_SEED changes the commands, and SOJOURN_REPLAY is what a failure printed after "replay:". */
const replayed = process.env.SOJOURN_REPLAY === undefined ? undefined : JSON.parse(process.env.SOJOURN_REPLAY)
export const seed: number = replayed?.seed ?? Number(process.env.SOJOURN_SEED ?? 20260301)

/** How many commands a check sends: SOJOURN_RUNS_FACTOR multiplies them. */
export const scaled = (commands: number): number => Math.round(commands * Number(process.env.SOJOURN_RUNS_FACTOR ?? 1))

/** From how many commands on a check has to meet what is listed. */
const LONG = 5_000

/** What a long check has to meet: without it, the check is no evidence about these. */
const TO_MEET = {
  AddFavorite: ["FavoriteExists", "NotLinked", "Done"],
  AskPeople: ["Done", "DirectoryRefused"],
  Bind: ["AdministratorsDiffer", "AlreadyBound", "PermissionTooLow", "Done", "AdministratorNotFound"],
  ChangeLevel: ["LastOwnerStays", "OnlyLevelChanges", "Done"],
  ChangePolicy: ["Done"],
  ConstrainArea: ["TrackingAreaTooLarge", "Done"],
  Create: ["AdministratorExists", "Done"],
  CreateOrganization: ["OrganizationNameTaken", "TrackingAreaTooLarge", "Done"],
  CreatePlace: ["PlacesOverlap", "PlaceOutsideOrganization", "Done"],
  CreateWebhook: ["TooManyWebhooks", "WebhookUrlRefused", "Done"],
  Decide: ["Done"],
  EditOrganization: ["OrganizationNameTaken", "AuthenticationServerMissing", "Done"],
  EditPlace: ["Done"],
  EditTrackingArea: ["Done"],
  EndMuster: ["Done"],
  Enter: ["IdentityNotOwn", "TimestampInFuture", "TimestampTooOld", "NotLinked", "PremisesNotFound", "Done"],
  Erase: ["OnlyOwner", "Done"],
  KeepHistory: ["Done"],
  Leave: [
    "IdentityNotOwn",
    "PremisesNotFound",
    "TimestampInFuture",
    "TimestampTooOld",
    "ExitBeforeEntrance",
    "Done",
    "ExitNotMatched"
  ],
  Link: ["LinkedToAnother", "DirectoryUnreachable", "AuthenticationServerMissing", "Done", "DirectoryRefused"],
  MarkMissing: ["Done"],
  MarkSafe: ["Done", "MusterEnded"],
  MarkSwept: ["Done", "SweptPlaceUnknown"],
  RemovePlace: ["Done"],
  RequestDeletion: ["DeletionRequestOfAnother", "Done"],
  SetCapacity: ["Done"],
  StartMuster: ["MusterOpen", "Done"],
  Unbind: ["Done", "LastOwnerStays"],
  Unlink: ["Done", "AccountLinkNotFound"]
}

/** Compares a service with the oracle. */
export const checkAgainstMemory = async (subject: StartDriver, commands: number, shrinkTries?: number) => {
  const report = await Effect.runPromise(checkModel({ oracle, subject, seed, commands, shrinkTries, replay: replayed }))
  console.log(`${report.commands} commands, ${report.requests} requests, seed ${seed}`)
  const wanted = Object.entries(TO_MEET).flatMap(([request, names]) => names.map((name) => `${request}: ${name}`))
  if (report.commands >= LONG)
    expect(
      wanted.filter((answer) => !report.met.has(answer)),
      "answers that were never met"
    ).toEqual([])
}

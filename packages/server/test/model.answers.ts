import { type Directory, type ModelRequest, type Names, serverName } from "@sojourn/testing"

type Json = { readonly [field: string]: unknown }

/** A body in the model's terms, and the exit tokens in it. */
export interface Read {
  readonly value: unknown
  readonly tokens: ReadonlyArray<string>
}

/** Parses a timestamp in the only form the service may write: UTC with milliseconds. Returns other values unchanged. */
const time = (text: unknown): unknown => {
  if (typeof text !== "string") return text
  const milliseconds = Date.parse(text)
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === text ? milliseconds : text
}

const LEVELS = ["viewer", "manager", "owner"]

/** Translates the bodies of successes to the model's terms. Keeps unexpected fields, so that a comparison fails. */
export const makeRead = (names: Names, directory: Directory) => {
  const at = ({ organizationId, placeId }: Json) =>
    placeId === undefined ? names.at("organization", Number(organizationId)) : names.at("place", Number(placeId))

  const organization = (body: Json) => {
    const { id, name, trackingMode, trackingArea, authenticationServerURL, creationDate, lastChangeDate, ...rest } =
      body
    return {
      ...rest,
      organization: names.label("organization", Number(id)),
      title: name,
      mode: trackingMode,
      server: serverName(directory, authenticationServerURL as string | undefined),
      area: trackingArea,
      created: time(creationDate),
      changed: time(lastChangeDate)
    }
  }
  const place = ({ id, organizationId, name, trackingArea, ...rest }: Json) => ({
    ...rest,
    place: names.label("place", Number(id)),
    organization: names.label("organization", Number(organizationId)),
    title: names.placeTitle(Number(id), name as string),
    area: trackingArea
  })
  const permission = ({ administratorId, organizationId, permission: level, orgAuthServerId, ...rest }: Json) => ({
    ...rest,
    administrator: names.administrator(administratorId as string, rest["mail"] as string | undefined),
    organization: names.label("organization", Number(organizationId)),
    level: LEVELS[Number(level) - 1],
    person: orgAuthServerId
  })
  const deletionRequest = (body: Json) => {
    const { id: _, organizationId, administratorId, requestReason, creationDate, decisionDate, ...rest } = body
    return {
      ...rest,
      organization: names.label("organization", Number(organizationId)),
      administrator: administratorId,
      reason: requestReason,
      created: time(creationDate),
      decided: decisionDate === undefined ? undefined : time(decisionDate)
    }
  }
  const access = (body: Json) => {
    const {
      id: _,
      organizationId,
      placeId,
      entranceTimestamp,
      exitTimestamp,
      exitToken: __,
      orgAuthServerId,
      ...rest
    } = body
    return {
      ...rest,
      at: at(body),
      entrance: time(entranceTimestamp),
      exit: time(exitTimestamp),
      person: orgAuthServerId
    }
  }
  const muster = ({ musterId, organizationId, startedAt, endedAt, people, ...rest }: Json) => ({
    ...rest,
    muster: names.label("muster", Number(musterId)),
    organization: names.label("organization", Number(organizationId)),
    startedAt: time(startedAt),
    endedAt: time(endedAt),
    people: (people as ReadonlyArray<Json> | undefined)?.map(({ orgAuthServerId, placeIds, since, at, ...row }) => ({
      ...row,
      person: orgAuthServerId,
      places: (placeIds as ReadonlyArray<number>).map((id) => names.label("place", id)).sort(),
      since: time(since),
      at: time(at)
    }))
  })
  const webhook = ({ webhookId, organizationId, types, lastDeliveredVersion, lastFailure, ...rest }: Json) => ({
    ...rest,
    webhook: names.label("webhook", Number(webhookId)),
    organization: names.label("organization", Number(organizationId)),
    types: (types as ReadonlyArray<string>).map((type) => type.slice(0, -".changed".length)),
    delivered: lastDeliveredVersion,
    failedAt: lastFailure === undefined ? undefined : time((lastFailure as Json)["at"])
  })
  const premisesOf = (one: { readonly place: string } | { readonly organization: string }) =>
    "place" in one ? `place ${one.place}` : `organization ${one.organization}`
  const movement = (request: ModelRequest & { readonly _tag: "Enter" | "Leave" }, body: Json) => {
    const { movementType, organizationId: _, placeId: __, timestamp, exitToken: ___, orgAuthServerId, ...rest } = body
    const isRight =
      movementType === (request._tag === "Enter" ? 1 : -1) && JSON.stringify(at(body)) === JSON.stringify(request.at)
    return { ...rest, ...(isRight ? {} : { body }), time: time(timestamp), person: orgAuthServerId }
  }

  const valueOf = (request: ModelRequest, body: unknown): unknown => {
    const one = body as Json
    const each = (read: (item: Json) => unknown) => (body as ReadonlyArray<Json>).map(read)
    switch (request._tag) {
      case "Enter":
      case "Leave":
        return movement(request, one)
      case "CreateOrganization":
        names.bind("organization", request.organization, BigInt(Number(one["id"])))
        return organization(one)
      case "EditOrganization":
      case "EditTrackingArea":
      case "ReadOrganization":
        return organization(one)
      case "ListOrganizations":
      case "ListFavorites":
        return each(organization)
      case "ConstrainArea":
        return {
          organization: names.label("organization", Number(one["organizationId"])),
          cells: one["maxArea"] === undefined ? undefined : request.cells
        }
      case "CreatePlace":
        names.bind("place", request.place, BigInt(Number(one["id"])))
        return place(one)
      case "EditPlace":
        return place(one)
      case "ListPlaces":
        return each(place)
      case "Register":
        return { administrator: one["administratorId"], mail: one["mail"] }
      case "Bind":
      case "Create":
      case "ChangeLevel":
        return permission(one)
      case "ListPermissions":
      case "ListOwnPermissions":
        return each(permission)
      case "AddFavorite": {
        const { userId, organizationId, orgAuthServerId, creationDate, organization: added, ...rest } = one
        const kept = organization(added as Json)
        const isRight = names.label("organization", Number(organizationId)) === kept.organization
        return {
          ...rest,
          ...(isRight ? {} : { body }),
          user: userId,
          person: orgAuthServerId,
          created: time(creationDate),
          organization: kept
        }
      }
      case "Link":
        return {
          organization: names.label("organization", Number(one["organizationId"])),
          person: one["orgAuthServerId"]
        }
      case "AskPeople":
        return each(({ orgAuthServerId, ...rest }) => ({ ...rest, person: orgAuthServerId }))
      case "ListDeletionRequests":
        return each(deletionRequest)
      case "ChangePolicy":
        return {
          organization: names.label("organization", Number(one["organizationId"])),
          longestStay: one["longestStay"],
          smallestCount: one["smallestCount"],
          eventGrain: one["eventGrain"]
        }
      case "Erase": {
        const { retriedEntrances: _, musterEntries: __, mentions: ___, ...taken } = one
        return taken
      }
      case "ReadCounter":
        return { at: at(one), counter: one["counter"] }
      case "ReadAccessesByToken":
      case "ReadAccessesOfPeople":
        return each(access)
      case "SetCapacity":
      case "ReadCapacity": {
        const { organizationId: _, placeId: __, ...rest } = one
        return { ...rest, at: at(one) }
      }
      case "ListInside":
        return each(({ orgAuthServerId, placeId, since, ...rest }) => ({
          ...rest,
          person: orgAuthServerId,
          at: placeId === undefined ? premisesOf(request.at) : `place ${names.label("place", Number(placeId))}`,
          since: time(since)
        }))
      case "StartMuster":
        names.bind("muster", request.muster, BigInt(Number(one["musterId"])))
        return muster(one)
      case "ReadMuster":
      case "MarkSafe":
      case "EndMuster":
        return muster(one)
      case "ListMusters":
        return each(muster)
      case "CreateWebhook": {
        names.bind("webhook", request.webhook, BigInt(Number(one["webhookId"])))
        const { secret, ...created } = one
        return { ...webhook(created), ...(/^whsec_[A-Za-z0-9+/]{43}=$/.test(String(secret)) ? {} : { secret }) }
      }
      case "EnableWebhook":
        return webhook(one)
      case "ListWebhooks":
        return each(webhook)
      case "ReadHistory":
        return each(({ from, ...rest }) => ({ ...rest, from: time(from) }))
      case "ReadReport":
        return each(({ placeId, orgAuthServerId, totalTime, ...rest }) => ({
          ...rest,
          place: names.label("place", Number(placeId)),
          person: orgAuthServerId,
          seconds: totalTime
        }))
      default:
        return body
    }
  }

  return (request: ModelRequest, text: string): Read => {
    const body: unknown = JSON.parse(text)
    if (request._tag === "Enter") names.bindToken(request.stay, String((body as Json)["exitToken"]))
    const bodies = (Array.isArray(body) ? body : [body]) as ReadonlyArray<Json>
    const tokens = bodies.flatMap(({ exitToken }) => (exitToken === undefined ? [] : [String(exitToken)]))
    return { value: valueOf(request, body), tokens }
  }
}

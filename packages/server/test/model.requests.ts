import {
  type Directory,
  type ModelRequest,
  maxAreaOfCells,
  type Names,
  passwordText,
  serverUrl,
  textOfDrawing
} from "@sojourn/testing"
import type { HttpRequest } from "./httpClient.ts"

type At = Extract<ModelRequest, { readonly _tag: "Enter" }>["at"]

const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

/** Translates each request of the model to HTTP (spec: http#shapes). */
export const makeRequests = (names: Names, directory: Directory) => {
  const organizationId = (label: string) => Number(names.id("organization", label))
  const placeId = (label: string) => Number(names.id("place", label))
  const kindOf = (at: At) => ("place" in at ? "place" : "organization")
  const idOf = (at: At) => ("place" in at ? placeId(at.place) : organizationId(at.organization))
  const list = (elements: ReadonlyArray<string>) => elements.map(encodeURIComponent).join(",")
  const administratorId = (name: string | undefined) => (name === undefined ? undefined : names.administratorId(name))
  const subject = (named: Extract<ModelRequest, { readonly _tag: "Erase" }>["subject"]) => {
    if ("user" in named) return { userId: named.user }
    if ("person" in named) return { organizationId: organizationId(named.organization), orgAuthServerId: named.person }
    if ("operator" in named) return { operatorId: named.operator }
    if ("mail" in named) return { mail: named.mail }
    return { administratorId: administratorId(named.administrator) }
  }
  const post = (path: string, json: unknown): HttpRequest => ({ method: "POST", path, json })
  const get = (path: string): HttpRequest => ({ method: "GET", path })

  /** `decided` is the id of the deletion request to approve or reject. */
  return (request: ModelRequest, decided: number): HttpRequest => {
    switch (request._tag) {
      case "Enter":
      case "Leave": {
        const isEntrance = request._tag === "Enter"
        const type = request.time === undefined ? (isEntrance ? "entrance" : "exit") : isEntrance ? 1 : -1
        return {
          ...post(`/movement/track/${kindOf(request.at)}`, {
            movementType: type,
            [`${kindOf(request.at)}Id`]: idOf(request.at),
            timestamp: iso(request.time),
            orgAuthServerId: request.person,
            exitToken: isEntrance ? undefined : names.token(request.token)
          }),
          ...(isEntrance && request.key !== undefined && { headers: { "idempotency-key": request.key } })
        }
      }
      case "CreateOrganization":
        return post("/operator/organization", {
          name: request.title,
          trackingMode: request.mode,
          trackingArea: textOfDrawing(request.drawing),
          authenticationServerURL: request.server && serverUrl(directory, request.server),
          maxArea: request.cells && maxAreaOfCells(request.cells),
          owner: { administratorId: request.owner.administrator, mail: request.owner.mail }
        })
      case "EditOrganization":
        return {
          method: "PUT",
          path: "/organization",
          json: {
            [request.title === undefined ? "id" : "organizationId"]: organizationId(request.organization),
            name: request.title,
            description: request.description,
            trackingMode: request.mode,
            authenticationServerURL: request.server && serverUrl(directory, request.server),
            trackingArea: request.drawing && textOfDrawing(request.drawing)
          }
        }
      case "EditTrackingArea":
        return {
          method: "PATCH",
          path: `/organization/${organizationId(request.organization)}/trackingArea`,
          form: { trackingArea: textOfDrawing(request.drawing) }
        }
      case "ConstrainArea":
        return {
          method: "PUT",
          path: `/operator/organization/${organizationId(request.organization)}/constraint`,
          json: { maxArea: request.cells === null ? null : maxAreaOfCells(request.cells) }
        }
      case "ReadOrganization":
        return get(`/organization/${organizationId(request.organization)}`)
      case "ListOrganizations":
        return get("/organization")
      case "CreatePlace":
        return post("/place", {
          organizationId: organizationId(request.organization),
          name: request.title,
          trackingArea: textOfDrawing(request.drawing)
        })
      case "EditPlace":
        return {
          method: "PUT",
          path: "/place",
          json: {
            [request.title === undefined ? "placeId" : "id"]: placeId(request.place),
            organizationId: request.organization === undefined ? undefined : organizationId(request.organization),
            name: request.title,
            trackingArea: request.drawing && textOfDrawing(request.drawing)
          }
        }
      case "RemovePlace":
        return { method: "DELETE", path: `/place/${placeId(request.place)}` }
      case "ListPlaces":
        return get(`/place/organization/${organizationId(request.organization)}`)
      case "Register":
        return post("/operator/administrator", {
          administratorId: administratorId(request.administrator),
          mail: request.mail
        })
      case "Bind":
      case "Create":
        return post(`/administrator/${request._tag === "Bind" ? "bind" : "create"}administrator`, {
          organizationId: organizationId(request.organization),
          administratorId: administratorId(request.administrator),
          mail: request.mail,
          // Without id and password the administrator is invited, as the model expects.
          password: request._tag === "Create" && request.administrator !== undefined ? "correct horse" : undefined,
          permission: request.level,
          orgAuthServerId: request.person
        })
      case "Unbind":
        return post("/administrator/unbindadministrator", {
          organizationId: organizationId(request.organization),
          administratorId: administratorId(request.administrator)
        })
      case "ChangeLevel":
        return {
          method: "PATCH",
          path: "/administrator/updatepermission",
          json: {
            organizationId: organizationId(request.organization),
            administratorId: administratorId(request.administrator),
            permission: { viewer: 1, manager: 2, owner: 3 }[request.level],
            mail: request.mail,
            orgAuthServerId: request.person,
            nominatedBy: administratorId(request.nominatedBy)
          }
        }
      case "ListPermissions":
        return get(`/administrator/organization/${organizationId(request.organization)}`)
      case "ListOwnPermissions":
        return get(`/administrator/permission/${encodeURIComponent(names.administratorId(request.administrator))}`)
      case "AddFavorite":
      case "RemoveFavorite":
        return post(`/favorite/${request._tag === "AddFavorite" ? "add" : "remove"}favorite`, {
          organizationId: organizationId(request.organization),
          userId: request.user,
          orgAuthServerId: request._tag === "AddFavorite" ? request.person : undefined
        })
      case "ListFavorites":
        return get(`/favorite/${encodeURIComponent(request.user)}`)
      case "Link":
        return post("/authenticationserver/link", {
          organizationId: organizationId(request.organization),
          username: request.username,
          password: passwordText(directory, request.password)
        })
      case "Unlink":
        return { method: "DELETE", path: `/authenticationserver/link/${organizationId(request.organization)}` }
      case "AskPeople":
        return post("/authenticationserver/userinformation", {
          organizationId: organizationId(request.organization),
          organizationCredentials: {
            username: request.username,
            password: passwordText(directory, request.password)
          },
          orgAuthServerIds: request.people === "everyone" ? ["*"] : request.people
        })
      case "RequestDeletion":
        return post("/organization/requestdeletion", {
          organizationId: organizationId(request.organization),
          requestReason: request.reason,
          administratorId: administratorId(request.administrator)
        })
      case "Decide":
        return {
          method: "POST",
          path: `/operator/deletionrequest/${decided}/${request.verdict === "approved" ? "approve" : "reject"}`
        }
      case "ListDeletionRequests":
        return get(`/operator/deletionrequest${request.status === undefined ? "" : `?status=${request.status}`}`)
      case "ChangePolicy":
        return {
          method: "PUT",
          path: `/operator/organization/${organizationId(request.organization)}/policy`,
          json: {
            longestStay: request.longestStay,
            smallestCount: request.smallestCount,
            eventGrain: request.eventGrain
          }
        }
      case "Erase":
        return post("/operator/personaldata/erase", subject(request.subject))
      case "ReadCounter":
        return get(`/presence/${kindOf(request.at)}/${idOf(request.at)}/counter`)
      case "ReadAccessesByToken": {
        const tokens = request.tokens.map((token) => names.token(token))
        return get(`/access/${kindOf(request.at)}/${idOf(request.at)}/anonymous/${list(tokens)}`)
      }
      case "ReadAccessesOfPeople":
        return get(`/access/${kindOf(request.at)}/${idOf(request.at)}/authenticated/${list(request.people)}`)
      case "ReadReport":
        return get(`/report/place/${placeId(request.place)}`)
      case "SetCapacity":
        return {
          method: "PUT",
          path: `/capacity/${kindOf(request.at)}/${idOf(request.at)}`,
          json: { capacity: request.capacity, warnAt: request.warnAt }
        }
      case "ReadCapacity":
        return get(`/capacity/${kindOf(request.at)}/${idOf(request.at)}`)
      case "ReadHistory": {
        const query = new URLSearchParams({ from: iso(request.from)!, to: iso(request.to)!, step: request.step })
        return get(`/presence/${kindOf(request.at)}/${idOf(request.at)}/history?${query}`)
      }
      case "ListInside":
        return get(`/presence/${kindOf(request.at)}/${idOf(request.at)}/inside`)
      case "StartMuster":
        return post(`/muster/organization/${organizationId(request.organization)}`, { kind: request.kind })
      case "ListMusters":
        return get(`/muster/organization/${organizationId(request.organization)}`)
      case "ReadMuster":
        return get(`/muster/${names.id("muster", request.muster)}`)
      case "MarkSafe": {
        const { marked } = request
        const body = typeof marked === "number" ? { count: marked } : { orgAuthServerIds: marked }
        return post(`/muster/${names.id("muster", request.muster)}/safe`, body)
      }
      case "EndMuster":
        return { method: "POST", path: `/muster/${names.id("muster", request.muster)}/end` }
      case "CreateWebhook":
        return post(`/webhook/organization/${organizationId(request.organization)}`, {
          url: request.url,
          types: request.types?.map((type) => `${type}.changed`)
        })
      case "ListWebhooks":
        return get(`/webhook/organization/${organizationId(request.organization)}`)
      case "RemoveWebhook":
        return { method: "DELETE", path: `/webhook/${names.id("webhook", request.webhook)}` }
      case "EnableWebhook":
        return { method: "POST", path: `/webhook/${names.id("webhook", request.webhook)}/enable` }
      case "Deliver":
      case "KeepHistory":
      case "Publish":
      case "ReadFeed":
        throw new Error(`no endpoint does this: ${request._tag}`)
    }
  }
}

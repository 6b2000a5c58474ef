/** What people and administrators of a town do: link, enter, leave, read. */
import { expect } from "vitest"
import { person } from "./Slapd.ts"
import { type Bearer, type Town, unique, want } from "./Town.ts"

const BEGAN = Date.now()
/** A timestamp `seconds` after this file was loaded. */
export const at = (seconds: number) => new Date(BEGAN + seconds * 1000).toISOString()

/** Actions of people of a directory in a town. */
export const livingIn = (town: Town) => {
  let next = 0
  /** A person of the directory who is not linked yet. */
  const newPerson = () => person(next++)
  /** A new user, linked to such a person. */
  const linked = async (organizationId: number) => {
    const [user, { uid, password }] = [await town.user(), newPerson()]
    want(await town.link(user, organizationId, uid, password), 201)
    return { user, uid }
  }
  /** Opens and closes a stay. */
  const stay = async (user: Bearer, kind: "organization" | "place", id: number, from: number, to: number) => {
    const { exitToken } = want(await town.enter(user, kind, id, { timestamp: at(from) }), 201).json
    want(await town.leave(user, kind, id, exitToken, { timestamp: at(to) }), 202)
  }
  const accesses = (who: Bearer, kind: "organization" | "place", id: number, ...people: ReadonlyArray<string>) =>
    town.call(who, "GET", `/access/${kind}/${id}/authenticated/${people.map(encodeURIComponent).join(",")}`)
  /** An administrator who was invited by mail and has called. */
  const invited = async (organizationId: number, permission: number) => {
    const guest = await town.bearer("administrator", unique("guest"))
    const invitation = { organizationId, mail: guest.mail.toUpperCase(), permission }
    const made = want(await town.call(town.owner, "POST", "/administrator/createadministrator", invitation), 201).json
    expect(made.administratorId).not.toBe(guest.id)
    return guest
  }
  return { newPerson, linked, stay, accesses, invited }
}

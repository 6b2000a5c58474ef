/** Attacks on musters: administrators who read, mark and fill the muster of a large crowd. */
import { answering, EXTENDED, obliging, result } from "../../../adapter-ldap/test/script.ts"
import { startScripted } from "../identity/Hung.ts"
import type { AttackTools } from "./attackTools.ts"

/** How many people are inside. */
const CROWD = 10_000

/** How many requests prepare the crowd at once. */
const AT_ONCE = 16

/** How many callers attack. */
const CALLERS = 16

/** What a directory without StartTLS answers: protocolError. */
const NOT_SUPPORTED = 2

/** What the attacks on musters are made of. */
interface Tools extends AttackTools {
  /** The URL of the directory of the attacked organization. */
  readonly directory: string
  /** The token of its owner. */
  readonly attacker: string
}

/** A directory in which every `person-<number>` has an entry, and that accepts every password. */
export const startCrowdedDirectory = () => {
  const answer = answering((request) => {
    if (request.operation === EXTENDED) return [result(request, NOT_SUPPORTED)]
    const [uid = "nobody"] = /person-\d+/.exec(Buffer.from(request.bytes).toString("latin1")) ?? []
    return obliging(uid, `uid=${uid},dc=x`)(request)
  })
  return startScripted(answer)
}

/** The attacks on musters, by their names. */
export const musterAttacks = ({ attacker, directory, flood, organization, send, user }: Tools) => {
  /** Starts a muster of a crowd: its people are linked and enter as those of any organization. */
  const prepare = async (): Promise<number> => {
    const organizationId = await organization({ trackingMode: "authenticated", authenticationServerURL: directory })
    const ask = async (json: object, path: string, token: string) => {
      const { status, json: answer } = await send({ token, method: "POST", path, json })
      if (status !== 201) throw new Error(`${path} answered ${status}`)
      return answer
    }
    let next = 0
    const comes = async () => {
      while (next < CROWD) {
        const person = `person-${next++}`
        const token = await user(person)
        await ask({ organizationId, username: person, password: "word" }, "/authenticationserver/link", token)
        await ask({ organizationId, movementType: 1 }, "/movement/track/organization", token)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, comes))
    const { musterId, inside } = await ask({ kind: "drill" }, `/muster/organization/${organizationId}`, attacker)
    if (inside !== CROWD) throw new Error(`${inside} of ${CROWD} people are inside`)
    return musterId
  }
  let prepared: Promise<number> | undefined
  const muster = () => (prepared ??= prepare())
  const mark = (musterId: number, orgAuthServerIds: ReadonlyArray<string>) => ({
    token: attacker,
    method: "POST",
    path: `/muster/${musterId}/safe`,
    json: { orgAuthServerIds }
  })
  const people = (from: number, count: number, name = "person") =>
    Array.from({ length: count }, (_, nth) => `${name}-${from + nth}`)

  return {
    [`${CALLERS} callers read a muster of ${CROWD} people`]: async () => {
      const path = `/muster/${await muster()}`
      return () => flood(CALLERS, () => ({ token: attacker, method: "GET", path }))
    },
    [`${CALLERS} callers read it as CSV`]: async () => {
      const path = `/muster/${await muster()}`
      return () => flood(CALLERS, () => ({ token: attacker, method: "GET", path, headers: { accept: "text/csv" } }))
    },
    [`${CALLERS} callers mark one person each`]: async () => {
      const id = await muster()
      return () => flood(CALLERS, (nth) => mark(id, people(nth % CROWD, 1)))
    },
    [`${CALLERS} callers mark 1,000 people each`]: async () => {
      const id = await muster()
      return () => flood(CALLERS, (nth) => mark(id, people((nth * 997) % CROWD, 1_000)))
    },
    [`${CALLERS} callers fill it with people of their own making`]: async () => {
      const id = await muster()
      return () => flood(CALLERS, (nth) => mark(id, people(nth * 1_000, 1_000, "nobody".repeat(40))))
    }
  }
}

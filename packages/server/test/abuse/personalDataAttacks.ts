/** Attacks on personal data, for `npm run abuse`: operators who export and erase in bulk. */
import { DEMO_PASSWORD, DEMO_SERVER } from "../../src/demo/people.ts"
import type { AttackTools, Sent } from "./attackTools.ts"

/** The directory of the demo, as an entry of `--directory-allow`. */
export const DEMO_HOST = DEMO_SERVER.slice(0, DEMO_SERVER.indexOf("/", "ldaps://".length))

/** The accesses of one user, spread over so many organizations. */
const ACCESSES = 20_000
const ORGANIZATIONS = 40

const EXPORTING = 16
const ERASING = 200

/** What the attacks on personal data are made of. */
interface Tools extends AttackTools {
  readonly operator: string
}

/** The attacks on personal data, by their names. */
export const personalDataAttacks = ({ flood, operator, organization, send, user }: Tools) => {
  const USER = "exported-user"
  const ask = async (token: string, path: string, json: object) => {
    const { status, json: answer } = await send({ token, method: "POST", path, json })
    if (status !== 201 && status !== 202) throw new Error(`${path} answered ${status}`)
    return answer
  }
  const live = async () => {
    const token = await user(USER)
    const organizationId = await organization({ trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER })
    const account = { organizationId, username: "ada", password: DEMO_PASSWORD }
    await ask(token, "/authenticationserver/link", account)
    for (let nth = 0; nth < ACCESSES / ORGANIZATIONS; nth++) {
      const path = "/movement/track/organization"
      const { exitToken } = await ask(token, path, { organizationId, movementType: 1 })
      await ask(token, path, { organizationId, movementType: -1, exitToken })
    }
  }
  let prepared: Promise<unknown> | undefined
  const prepare = () => (prepared ??= Promise.all(Array.from({ length: ORGANIZATIONS }, live)))
  const post = (path: string, json: object): Sent => ({ token: operator, method: "POST", path, json })

  return {
    [`${EXPORTING} operators export ${ACCESSES} accesses`]: async () => {
      await prepare()
      return () => flood(EXPORTING, () => post("/operator/personaldata/export", { userId: USER }))
    },
    [`${ERASING} operators erase while others export`]: async () => {
      await prepare()
      return () =>
        flood(ERASING, (nth) =>
          nth % 10 === 0
            ? post("/operator/personaldata/export", { userId: USER })
            : post("/operator/personaldata/erase", { userId: `nobody-${nth}` })
        )
    }
  }
}

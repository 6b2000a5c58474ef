/** Audits answers: counters and access lists must be what clients were acknowledged. */
import { Array as Arr } from "effect"
import { bodyOf, type Client } from "./client.ts"
import { type Ledger, nameOf, type Stay } from "./Ledger.ts"
import type { Premises, Town } from "./town.ts"

/** The most tokens or people in one list. */
const MAX_LIST_KEYS = 100

interface Access {
  readonly exitToken?: string
  readonly orgAuthServerId?: string
  readonly entranceTimestamp: string
  readonly exitTimestamp: string
}

/** The identity of a listed access: its owner and its times. */
const known = (who: string | undefined, entrance: string, exit: string | undefined) => `${who} ${entrance} ${exit}`

const compare = (ledger: Ledger, where: Premises, listed: ReadonlyArray<string>, expected: ReadonlyArray<string>) => {
  const left = new Map<string, number>()
  for (const one of expected) left.set(one, (left.get(one) ?? 0) + 1)
  for (const one of listed) {
    const count = left.get(one) ?? 0
    if (count === 0) ledger.fault("doubled", `${nameOf(where)} lists an access that no client made, or one twice`)
    else left.set(one, count - 1)
  }
  for (const count of left.values()) {
    if (count > 0) ledger.fault("lost", `${nameOf(where)} lists ${count} acknowledged accesses too few`)
  }
}

/**
 * Compares the ledger with the interface's answers, while no request is in flight: counters, and the access lists of
 * `left`, the stays that ended recently, and of all people in authenticated organizations.
 */
export const auditInterface = async (
  { ask }: Client,
  baseUrl: string,
  ledger: Ledger,
  town: Town,
  left: ReadonlyArray<Stay>
): Promise<void> => {
  const get = async (token: string, path: string) => {
    const answer = await ask(baseUrl, { method: "GET", path, token })
    if (answer.status !== 200 && answer.status !== 204) ledger.fault("wrong", `GET ${path} answered ${answer.status}`)
    return answer.status === 200 ? answer : undefined
  }
  const list = async (token: string, path: string) => {
    const answer = await get(token, path)
    return answer === undefined ? [] : bodyOf<ReadonlyArray<Access>>(answer)
  }

  for (const where of town.premises) {
    const inside =
      [...ledger.open.values()].filter(({ premises }) => premises === where).length +
      [...ledger.attributed.values()].filter((premises) => premises === where).length +
      ledger.counted(where)
    const answer = await get(town.owner, `/presence/${where.kind}/${where.id}/counter`)
    const counter = answer && bodyOf<{ readonly counter: number }>(answer).counter
    if (counter !== inside) {
      const kind = counter !== undefined && counter > inside ? "doubled" : "lost"
      ledger.fault(kind, `${nameOf(where)} counts ${counter}, and ${inside} are inside`)
    }
  }
  for (const where of town.anonymous) {
    const reader = town.residents[0]!.token
    for (const some of Arr.chunksOf(
      left.filter(({ premises }) => premises === where),
      MAX_LIST_KEYS
    )) {
      const tokens = some.map(({ exitToken }) => exitToken).join(",")
      const listed = await list(reader, `/access/${where.kind}/${where.id}/anonymous/${tokens}`)
      compare(
        ledger,
        where,
        listed.map((one) => known(one.exitToken, one.entranceTimestamp, one.exitTimestamp)),
        some.map((one) => known(one.exitToken, one.entrance, one.exit))
      )
    }
  }
  for (const where of town.authenticated) {
    const ended = [...ledger.closed.values()].filter(({ premises }) => premises === where)
    const people = [...new Set(ended.map(({ person }) => person))]
    if (people.length === 0) continue
    const listed = await list(town.owner, `/access/${where.kind}/${where.id}/authenticated/${people.join(",")}`)
    compare(
      ledger,
      where,
      listed.map((one) => known(one.orgAuthServerId, one.entranceTimestamp, one.exitTimestamp)),
      ended.map((one) => known(one.person, one.entrance, one.exit))
    )
  }
}

/** Sends what was marked in musters in order, once, and keeps it without a connection, also when the tab is loaded again. */
import type { Muster, Refused, SojournClient } from "@sojourn/client"
import { useEffect, useRef, useState } from "preact/hooks"
import { useOpened } from "../shared/context.ts"
import { isRefused, isTemporary } from "../shared/useLoaded.ts"
import { sentenceOf } from "../words/sentenceOf.ts"
import { keep, readKept } from "./kept.ts"
import { isNeeded, type MusterAct, type MusterQueue, readQueue, withAct, withState } from "./musterQueue.ts"

/** How long to wait before another attempt, in milliseconds. */
const RETRY_MS = 3_000

const send = (api: SojournClient, musterId: number, act: MusterAct): Promise<Muster> => {
  switch (act.kind) {
    case "safe":
      return api.muster.markSafe({ musterId, body: { orgAuthServerIds: [act.person] } })
    case "missing":
      return api.muster.markMissing({ musterId, body: { orgAuthServerIds: [act.person] } })
    case "count":
      return api.muster.markSafe({ musterId, body: { count: act.count } })
    case "swept":
      return api.muster.markSwept({ musterId, body: { placeId: act.placeId, swept: act.swept } })
  }
}

interface Queued {
  readonly queue: MusterQueue
  /** The muster as the last answer has it. */
  readonly answered?: Muster
  /** What was not recorded, as a sentence. */
  readonly refusal: string
}

export const useMusterQueue = (account: string) => {
  const { words, api, formats } = useOpened()
  const [state, setState] = useState((): Queued => ({ queue: readQueue(readKept("queue", account)), refusal: "" }))
  const latest = useRef(state)
  const isSending = useRef(false)
  const isGone = useRef(false)
  const update = (change: Partial<Queued>) => {
    // What the tab keeps may be forgotten by then.
    if (isGone.current) return
    latest.current = { ...latest.current, ...change }
    const { queue } = latest.current
    if (change.queue !== undefined) keep("queue", account, queue.length === 0 ? undefined : queue)
    setState(latest.current)
  }
  /** Settles the first entry, or leaves it for another attempt. Answers whether the next one may be sent. */
  const settleFirst = async (): Promise<boolean> => {
    const [{ musterId, act, state }] = latest.current.queue as [MusterQueue[number]]
    const rest = () => latest.current.queue.slice(1)
    const dropEnded = () => {
      const queue = latest.current.queue.filter((entry) => entry.musterId !== musterId)
      const dropped = latest.current.queue.length - queue.length
      update({ queue, refusal: words.endedBefore(formats.number(dropped)) })
    }
    try {
      const known = state === "uncertain" ? await api.muster.readMuster({ musterId }) : undefined
      if (known?.endedAt !== undefined) dropEnded()
      // It may have been replaced meanwhile.
      else if (latest.current.queue[0]!.act !== act) return true
      // It arrived, or what it takes back did not.
      else if (known !== undefined && !isNeeded(act, known)) update({ queue: rest(), answered: known })
      else {
        update({ queue: withState(latest.current.queue, "sending") })
        const answered = await send(api, musterId, act)
        update({ queue: rest(), answered })
      }
    } catch (failure) {
      if (isTemporary(failure) || isRefused(failure, 401)) {
        update({ queue: withState(latest.current.queue, "uncertain") })
        return false
      }
      if ((failure as Partial<Refused>).type?.endsWith("muster-ended") === true) dropEnded()
      else update({ queue: rest(), refusal: sentenceOf(words, failure) })
    }
    return true
  }
  const sendAll = async () => {
    if (isSending.current) return
    isSending.current = true
    while (!isGone.current && latest.current.queue.length > 0 && navigator.onLine) if (!(await settleFirst())) break
    isSending.current = false
  }
  useEffect(() => () => void (isGone.current = true), [])
  const hasEntries = state.queue.length > 0
  useEffect(() => {
    if (!hasEntries) return
    void sendAll()
    const again = () => void sendAll()
    const timer = setInterval(again, RETRY_MS)
    addEventListener("online", again)
    return () => {
      clearInterval(timer)
      removeEventListener("online", again)
    }
  }, [hasEntries, api])
  const act = (musterId: number, act: MusterAct) => {
    update({ queue: withAct(latest.current.queue, musterId, act), refusal: "" })
    void sendAll()
  }
  return { ...state, act }
}

/** The head of an open muster: how many are missing, to be read from afar, and for how long. */
import type { Muster } from "@sojourn/client"
import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { useOpened } from "../shared/context.ts"
import { serverNow } from "../shared/clock.ts"
import { zoneOf } from "../shared/localTime.ts"
import { LIST_INTERVAL_MS, useThrottled } from "../shared/useThrottled.ts"
import { durationOf } from "./curve.ts"

/** From how many characters on the number is set smaller, to fit the ring. */
const MANY = 5

const RING = { cx: 50, cy: 50, r: 46, pathLength: 100 }

/** The time since the start, by the server's clock. */
const Elapsed = ({ startedAt }: Pick<Muster, "startedAt">) => {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 500)
    return () => clearInterval(timer)
  }, [])
  return (
    <time role="timer" class="elapsed">
      {durationOf(now - Date.parse(startedAt))}
    </time>
  )
}

interface MusterHeadProps {
  readonly muster: Muster
  readonly children: ComponentChildren
}

export const MusterHead = ({ muster, children }: MusterHeadProps) => {
  const { words, formats } = useOpened()
  const { kind, note, missing, inside, startedAt, startedBy, counted = 0 } = muster
  const isClear = missing === 0
  const ring = isClear ? "0 200" : missing === inside ? "none" : `${(100 * missing) / inside} 200`
  const number = formats.number(missing)
  const said = useThrottled(isClear ? words.noneMissing : `${number} ${words.missing}`, LIST_INTERVAL_MS)
  return (
    <section class={`muster-head ${kind} ${isClear ? "clear" : ""}`} aria-label={words.muster}>
      <div class={number.length < MANY ? "dial" : "dial many"}>
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <circle {...RING} />
          <circle {...RING} class="rest" style={{ strokeDasharray: ring }} />
        </svg>
        <p>
          <b class="missing-number">{number}</b>
          <span>{words.missing}</span>
        </p>
      </div>
      <div class="muster-facts">
        <p class="kind">{isClear ? words.noneMissing : words.kindHints[kind]}</p>
        <p>
          <Elapsed startedAt={startedAt} /> {words.sinceStart}
        </p>
        <dl class="numbers">
          {(["inside", "safe", "left"] as const).map((name) => (
            <div key={name}>
              <dt>{words[name]}</dt>
              <dd>{formats.number(muster[name])}</dd>
            </div>
          ))}
        </dl>
        {muster.people !== undefined && counted > 0 && <p>{words.countedToo(formats.number(counted))}</p>}
      </div>
      <div class="muster-side">
        {note !== undefined && <p>{note}</p>}
        <p class="quiet">
          {words.startedBy(startedBy, formats.moment(startedAt))}
          {formats.zone !== zoneOf(undefined) && `. ${words.timesIn(formats.zone)}`}
        </p>
        {children}
      </div>
      <p class="unseen" role="status">
        {said}
      </p>
    </section>
  )
}

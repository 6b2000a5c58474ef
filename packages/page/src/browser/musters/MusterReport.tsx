/** The report of a muster, on the screen and on paper: numbers, their course, people or counts, searched places, and room to sign. */
import type { Muster, MusterSummary } from "@sojourn/client"
import { ActionButton, PrintButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { serverNow } from "../shared/clock.ts"
import { useAction } from "../shared/useAction.tsx"
import { nameIn, namesOf } from "../stays/names.ts"
import { clearedAt, type CurvePoint, durationOf } from "./curve.ts"
import { type MusterPlace, placeNames } from "./musterPlaces.ts"

interface EarlierMustersProps {
  readonly musters: ReadonlyArray<MusterSummary>
  readonly onShow: (musterId: number) => void
}

const lengthOf = ({ startedAt, endedAt }: MusterSummary) =>
  endedAt === undefined ? "–" : durationOf(Date.parse(endedAt) - Date.parse(startedAt))

/** Earlier musters, and how long each took: what the latest one is compared with. */
export const EarlierMusters = ({ musters, onShow }: EarlierMustersProps) => {
  const { words, formats } = useOpened()
  if (musters.length === 0) return null
  const missing = ({ missing }: MusterSummary) => formats.number(missing)
  return (
    <section>
      <h2>{words.earlierMusters}</h2>
      <DataTable
        caption={words.earlierMusters}
        columns={[
          { title: words.time, cell: ({ startedAt }) => formats.dayAndTime(startedAt) },
          { title: words.kind, cell: ({ kind }) => words[kind] },
          { title: words.startToEnd, cell: lengthOf, isNumber: true },
          { title: words.missing, cell: missing, isNumber: true },
          {
            title: words.musterReport,
            cell: ({ musterId, startedAt }) => (
              <ActionButton action={words.show} of={formats.moment(startedAt)} onClick={() => onShow(musterId)} />
            )
          }
        ]}
        rows={musters}
        keyOf={({ musterId }) => String(musterId)}
        file="musters"
        toCsv={({ kind, startedAt, endedAt, inside, safe, left, missing }) => {
          return { kind, startedAt, endedAt, inside, safe, left, missing }
        }}
      />
    </section>
  )
}

/** The size of the curve in its own units, and the room for the numbers at its sides. */
const [WIDTH, HEIGHT, SIDE, FOOT] = [600, 200, 44, 24]

/** How many were missing over time. */
const Curve = ({ muster, curve }: { readonly muster: Muster; readonly curve: ReadonlyArray<CurvePoint> }) => {
  const { words, formats } = useOpened()
  const start = Date.parse(muster.startedAt)
  const end = muster.endedAt === undefined ? serverNow() : Date.parse(muster.endedAt)
  const most = curve.reduce((most, { missing }) => Math.max(most, missing), 1)
  const x = (at: number) => SIDE + ((WIDTH - SIDE - 8) * (at - start)) / Math.max(end - start, 1)
  const y = (missing: number) => HEIGHT - FOOT - ((HEIGHT - FOOT - 12) * missing) / most
  const path = curve.map(({ at, missing }, nth) => (nth === 0 ? `M${x(at)},${y(missing)}` : `H${x(at)}V${y(missing)}`))
  const summary = curve.map(({ at, missing }) => `${durationOf(at - start)}: ${formats.number(missing)}`)
  return (
    <figure class="plot muster-curve">
      <figcaption>{words.missingOverTime}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary.slice(0, 20).join(", ")}>
        {[0, most].map((missing) => (
          <g key={missing}>
            <line x1={SIDE} x2={WIDTH - 8} y1={y(missing)} y2={y(missing)} />
            <text x={SIDE - 6} y={y(missing) + 4} text-anchor="end">
              {formats.number(missing)}
            </text>
          </g>
        ))}
        {[start, end].map((at, nth) => (
          <text key={nth} x={x(at)} y={HEIGHT - 6} text-anchor={nth === 0 ? "start" : "end"}>
            {durationOf(at - start)}
          </text>
        ))}
        <path class="line" d={`${path.join("")}H${x(end)}`} />
      </svg>
    </figure>
  )
}

/** How late the page may first read a muster whose curve counts as whole, in milliseconds. */
const LATE_MS = 10_000

interface MusterReportProps extends EarlierMustersProps {
  readonly muster: Muster
  readonly name: string
  readonly places: ReadonlyArray<MusterPlace>
  readonly curve: ReadonlyArray<CurvePoint>
}

export const MusterReport = ({ muster, name, places, curve, musters, onShow }: MusterReportProps) => {
  const { words, formats, api } = useOpened()
  const { outcome, run } = useAction()
  const { musterId, kind, note, startedAt, startedBy, endedAt, people, swept = [], missing } = muster
  const start = Date.parse(startedAt)
  const cleared = clearedAt(curve)
  const names = namesOf(api, muster.organizationId)
  /** How late the page began to see an anonymous muster, in milliseconds. */
  const unseen = (curve[0]?.at ?? start) - start
  return (
    <article class="muster-report">
      <div class="bar">
        <PrintButton of={words.muster} />
        {people !== undefined && (
          <ActionButton
            action={words.downloadCsv}
            of={words.muster}
            onClick={() =>
              run(async () => {
                const [{ download }, csv] = await Promise.all([
                  import("../shared/csv.ts"),
                  api.muster.readMusterCsv({ musterId })
                ])
                download(`muster-${musterId}.csv`, csv)
              })
            }
          />
        )}
        <span role="status">{outcome}</span>
      </div>
      <h2 class="on-paper">
        {words[kind]}: <bdi>{name}</bdi>
      </h2>
      {note !== undefined && <p>{note}</p>}
      <p>
        {words.startedBy(startedBy, formats.moment(startedAt))}
        {endedAt !== undefined && `. ${words.endedAt(formats.moment(endedAt))}`}
      </p>
      <p class="on-paper">{words.printedAt(formats.moment(serverNow()))}</p>
      <p class={missing === 0 ? "outcome clear" : "outcome"}>
        {missing > 0
          ? words.missingAtEnd(formats.number(missing))
          : cleared === undefined || unseen > LATE_MS
            ? words.noneMissing
            : words.clearedAfter(durationOf(cleared - start))}
      </p>
      <dl class="numbers">
        {(["missing", "inside", "safe", "left"] as const).map((name) => (
          <div key={name} class={name}>
            <dt>{words[name]}</dt>
            <dd>{formats.number(muster[name])}</dd>
          </div>
        ))}
        {endedAt !== undefined && (
          <div>
            <dt>{words.startToEnd}</dt>
            <dd>{lengthOf(muster)}</dd>
          </div>
        )}
      </dl>
      <div class="report-columns">
        <Curve muster={muster} curve={curve} />
        <EarlierMusters musters={musters} onShow={onShow} />
      </div>
      {people === undefined && (
        <p class="quiet">{curve.length === 0 ? words.noCurve : unseen > LATE_MS && words.lateCurve}</p>
      )}
      <h2>{words.searchedPlaces}</h2>
      {swept.length === 0 ? (
        <p>{words.noRows}</p>
      ) : (
        <ul>
          {swept.map(({ placeId, at, by }) => (
            <li key={placeId}>
              <bdi>{placeNames(words, places, [placeId])}</bdi>: {words.searchedBy(formats.time(at), by)}
            </li>
          ))}
        </ul>
      )}
      {people !== undefined && (
        <table>
          <caption>{words.people}</caption>
          <thead>
            <tr>
              <th scope="col">{words.person}</th>
              {names.size > 0 && <th scope="col">{words.name}</th>}
              <th scope="col">{words.place}</th>
              <th scope="col">{words.since}</th>
              <th scope="col">{words.state}</th>
              <th scope="col" class="on-paper">
                {words.signature}
              </th>
            </tr>
          </thead>
          <tbody>
            {people.map(({ orgAuthServerId, placeIds, since, state, at }) => (
              <tr key={orgAuthServerId}>
                <th scope="row">{orgAuthServerId}</th>
                {names.size > 0 && <td>{nameIn(names, orgAuthServerId) || "–"}</td>}
                <td>{placeNames(words, places, placeIds)}</td>
                <td>{since === undefined ? "–" : formats.moment(since)}</td>
                <td>
                  <span class={`badge ${state}`}>{words.personState[state]}</span>{" "}
                  {at !== undefined && formats.time(at)}
                </td>
                <td class="signature on-paper" />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="signatures">
        {[words.inCharge, words.witness].map((who) => (
          <p key={who}>{who}</p>
        ))}
      </div>
    </article>
  )
}

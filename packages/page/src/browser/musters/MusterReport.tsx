/** The report of a muster, on the screen and on paper: numbers, their course, people or counts, searched places, and room to sign. */
import type { Muster, MusterSummary } from "@sojourn/client"
import { chartOf, mostOf } from "../history/chart.ts"
import { ActionButton, PrintButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { zoneOf } from "../shared/localTime.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { serverNow } from "../shared/clock.ts"
import { Table } from "../shared/Table.tsx"
import { useAction } from "../shared/useAction.tsx"
import { useNameColumn } from "../stays/useNameColumn.ts"
import { clearedAt, type CurvePoint, durationOf } from "./curve.ts"
import { type MusterWork, PlaceNames } from "./PlacesToSearch.tsx"

interface EarlierMustersProps {
  readonly musters: ReadonlyArray<MusterSummary>
  readonly onShow: (musterId: number) => void
}

const lengthOf = ({ startedAt, endedAt = startedAt }: MusterSummary) =>
  durationOf(Date.parse(endedAt) - Date.parse(startedAt))

/** After how long no one was missing, by the id of the muster, in milliseconds: of those whose report was shown. A list has the numbers at the end alone. */
const clearedAfter = new Map<number, number>()

/** Earlier musters, and how long each took: what the latest one is compared with. */
export const EarlierMusters = ({ musters, onShow }: EarlierMustersProps) => {
  const { words, formats } = useOpened()
  if (musters.length === 0) return null
  const timeToClear = (muster: MusterSummary) => {
    const cleared = clearedAfter.get(muster.musterId)
    if (cleared !== undefined) return durationOf(cleared)
    return `${muster.missing > 0 ? ">" : "≤"} ${lengthOf(muster)}`
  }
  return (
    <section>
      <h2>{words.earlierMusters}</h2>
      <DataTable
        caption={words.earlierMusters}
        columns={[
          { title: words.time, cell: ({ startedAt }) => formats.dayAndTime(startedAt) },
          { title: words.kind, cell: ({ kind }) => words[kind] },
          { title: words.timeToClear, cell: timeToClear, isNumber: true },
          { title: words.missing, cell: ({ missing }) => formats.number(missing), isNumber: true },
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

/** The size of the curve in its own units, and the room around it for its numbers. */
const [WIDTH, HEIGHT, BEFORE, AFTER, ABOVE, BELOW] = [548, 164, 44, 8, 12, 24]

/** How many were missing over time. */
const Curve = ({ muster, curve }: { readonly muster: Muster; readonly curve: ReadonlyArray<CurvePoint> }) => {
  const { words, formats } = useOpened()
  const start = Date.parse(muster.startedAt)
  const end = muster.endedAt === undefined ? serverNow() : Date.parse(muster.endedAt)
  // The last reading comes after the end.
  const points = curve.map(({ at, missing }) => ({ at: Math.min(at, end), missing }))
  const samples = points.map(({ at, missing }, nth) => {
    return { at, until: points[nth + 1]?.at ?? end, average: missing, least: missing, most: missing }
  })
  const top = Math.max(mostOf(samples), 1)
  const chart = chartOf({ from: start, to: Math.max(end, start + 1), samples, top }, WIDTH, HEIGHT)
  const summary = points.map(({ at, missing }) => `${durationOf(at - start)}: ${formats.number(missing)}`)
  return (
    <figure class="plot muster-curve">
      <figcaption>{words.missingOverTime}</figcaption>
      <svg
        viewBox={`${-BEFORE} ${-ABOVE} ${WIDTH + BEFORE + AFTER} ${HEIGHT + ABOVE + BELOW}`}
        role="img"
        aria-label={summary.slice(0, 20).join(", ")}
      >
        {[0, top].map((missing) => (
          <g key={missing}>
            <line x1="0" x2={WIDTH} y1={chart.y(missing)} y2={chart.y(missing)} />
            <text x="-6" y={chart.y(missing) + 4} text-anchor="end">
              {formats.number(missing)}
            </text>
          </g>
        ))}
        {[start, end].map((at, nth) => (
          <text key={nth} x={chart.x(at)} y={HEIGHT + 18} text-anchor={nth === 0 ? "start" : "end"}>
            {durationOf(at - start)}
          </text>
        ))}
        <path class="line" d={chart.lineTo(end, undefined)} />
      </svg>
    </figure>
  )
}

/** How late the page may first read a muster whose curve counts as whole, in milliseconds. */
const LATE_MS = 10_000

interface MusterReportProps extends Pick<MusterWork, "muster" | "places">, Pick<EarlierMustersProps, "onShow"> {
  readonly name: string
  readonly curve: ReadonlyArray<CurvePoint>
  readonly earlier: ReadonlyArray<MusterSummary>
}

export const MusterReport = ({ muster, name, places, curve, earlier, onShow }: MusterReportProps) => {
  const { words, formats, api } = useOpened()
  const { outcome, run } = useAction()
  const { musterId, kind, note, startedAt, startedBy, endedAt, people, swept = [], missing } = muster
  const start = Date.parse(startedAt)
  const nameColumn = useNameColumn(muster.organizationId)
  // Of an anonymous muster the page may have seen the later part alone.
  const isLate = curve[0] !== undefined && curve[0].at > start + LATE_MS
  const cleared = missing > 0 || isLate ? undefined : clearedAt(curve)
  if (cleared !== undefined && endedAt !== undefined) clearedAfter.set(musterId, cleared - start)
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
        {formats.zone !== zoneOf(undefined) && `. ${words.timesIn(formats.zone)}`}
      </p>
      <p class="on-paper">{words.printedAt(formats.moment(serverNow()))}</p>
      <p class={missing === 0 ? "outcome clear" : "outcome"}>
        {missing > 0
          ? words.missingAtEnd(formats.number(missing))
          : cleared === undefined
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
        <EarlierMusters musters={earlier} onShow={onShow} />
      </div>
      {people === undefined && <p class="quiet">{curve.length === 0 ? words.noCurve : isLate && words.lateCurve}</p>}
      <h2>{words.searchedPlaces}</h2>
      {swept.length === 0 ? (
        <p>{words.noRows}</p>
      ) : (
        <ul>
          {swept.map(({ placeId, at, by }) => (
            <li key={placeId}>
              <PlaceNames places={places} ids={[placeId]} />: {words.searchedBy(formats.time(at), by)}
            </li>
          ))}
        </ul>
      )}
      {people !== undefined && (
        <Table
          columns={[
            { title: words.person, cell: ({ orgAuthServerId }) => orgAuthServerId },
            ...nameColumn,
            { title: words.place, cell: ({ placeIds }) => <PlaceNames places={places} ids={placeIds} /> },
            { title: words.since, cell: ({ since }) => (since === undefined ? "–" : formats.moment(since)) },
            {
              title: words.state,
              cell: ({ state, at }) => (
                <>
                  <span class={`badge ${state}`}>{words.personState[state]}</span>{" "}
                  {at !== undefined && formats.time(at)}
                </>
              )
            },
            { title: words.signature, cell: () => undefined, class: "signature on-paper" }
          ]}
          rows={people}
          keyOf={({ orgAuthServerId }) => orgAuthServerId}
        >
          <caption>{words.people}</caption>
        </Table>
      )}
      <div class="signatures">
        {[words.inCharge, words.witness].map((who) => (
          <p key={who}>{who}</p>
        ))}
      </div>
    </article>
  )
}

/** One muster with its numbers and people, and the list of the others. */
import type { MusterSummary } from "@sojourn/client"
import { ActionButton, PrintButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { placesToSearch } from "./musterPlaces.ts"
import { PrintedMuster } from "./PrintedMuster.tsx"
import { MusterPeople, type MusterPeopleProps } from "./MusterPeople.tsx"

interface ToSearchProps extends Pick<MusterPeopleProps, "muster" | "places" | "isWaiting"> {
  /** Marks a place as searched, or takes that back. */
  readonly sweep: (placeId: number, swept: boolean) => void
}

/** The places in which people are to be searched, or were. */
const ToSearch = ({ muster, places, isWaiting, sweep }: ToSearchProps) => {
  const { words, formats } = useOpened()
  const swept = new Set(muster.swept?.map(({ placeId }) => placeId))
  const found = placesToSearch(muster, places, words.whole)
  if (found.length === 0) return null
  return (
    <>
      <h4 id="to-search">{words.placesToSearch}</h4>
      <ul class="to-search" aria-labelledby="to-search">
        {found.map(({ placeId, name, count }) => (
          <li key={placeId}>
            <bdi>{name}</bdi> <b class="number">{formats.number(count)}</b>{" "}
            {placeId !== undefined && (
              <ActionButton
                action={words.searched}
                of={name}
                aria-pressed={swept.has(placeId)}
                disabled={isWaiting}
                onClick={() => sweep(placeId, !swept.has(placeId))}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

interface MusterDetailsProps extends MusterPeopleProps, Pick<ToSearchProps, "sweep"> {
  readonly mayEnd: boolean
  readonly onEnd: () => void
  readonly onSave: () => void
}

export const MusterDetails = ({ mayEnd, sweep, onEnd, onSave, ...shown }: MusterDetailsProps) => {
  const { muster, places, isWaiting } = shown
  const { words, formats } = useOpened()
  const isOpen = muster.endedAt === undefined
  return (
    <section class={`muster ${muster.kind} ${isOpen ? "open" : ""}`}>
      <h3 class={muster.kind}>{words[muster.kind]}</h3>
      {muster.note !== undefined && <p>{muster.note}</p>}
      <p>
        {words.startedBy(muster.startedBy, formats.moment(muster.startedAt))}
        {muster.endedAt !== undefined && `. ${words.endedAt(formats.moment(muster.endedAt))}`}
      </p>
      <dl class="numbers">
        {(["missing", "safe", "left", "inside"] as const).map((name) => (
          <div key={name} class={name}>
            <dt>{words[name]}</dt>
            <dd>{formats.number(muster[name])}</dd>
          </div>
        ))}
      </dl>
      {isOpen && <ToSearch muster={muster} places={places} isWaiting={isWaiting} sweep={sweep} />}
      <PrintedMuster muster={muster} places={places} />
      <MusterPeople {...shown} />
      <div class="bar">
        <PrintButton of={words.muster} />
        {muster.people !== undefined && <ActionButton action={words.downloadCsv} of={words.muster} onClick={onSave} />}
        {isOpen && mayEnd && (
          <button type="button" class="destructive" disabled={isWaiting} onClick={onEnd}>
            {words.end}
          </button>
        )}
      </div>
    </section>
  )
}

interface OtherMustersProps {
  readonly musters: ReadonlyArray<MusterSummary>
  readonly openId: number | undefined
  readonly onShow: (musterId: number) => void
}

export const OtherMusters = ({ musters, openId, onShow }: OtherMustersProps) => {
  const { words, formats } = useOpened()
  return (
    <>
      <h3>{words.earlierMusters}</h3>
      <ul class="list">
        {musters.map(({ musterId, kind, startedAt, missing }) => (
          <li key={musterId} class="bar">
            {formats.moment(startedAt)}, {words[kind]}: {formats.number(missing)} {words.missing}
            {musterId === openId && <b class="badge missing">{words.open}</b>}{" "}
            <ActionButton action={words.show} of={formats.moment(startedAt)} onClick={() => onShow(musterId)} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** Announces open musters in every view: by an alert, by the title of the document and by its icon. */
import { useEffect } from "preact/hooks"
import { usePage } from "../shared/context.ts"
import type { OpenMuster } from "./useOpenMusters.ts"

interface AlarmsProps {
  readonly musters: ReadonlyArray<OpenMuster>
  readonly onShow: (organizationId: number) => void
}

/** A line for each open muster, with the button that leads to it. */
export const Alarms = ({ musters, onShow }: AlarmsProps) => {
  const { words, formats } = usePage()
  return (
    <div role="alert" class="alarms">
      {musters.map(({ muster: { musterId, organizationId, kind, startedAt }, organization }) => (
        <p key={musterId} class={`bar alarm ${kind}`}>
          <b>{words.musterOpen(organization, words[kind], formats.moment(startedAt))}</b>
          <button type="button" onClick={() => onShow(organizationId)}>
            {words.toMuster}
          </button>
        </p>
      ))}
    </div>
  )
}

interface MusterBannerProps extends AlarmsProps {
  /** The name of what is shown, for the title. */
  readonly shown: string | undefined
}

export const MusterBanner = ({ musters, shown, onShow }: MusterBannerProps) => {
  const { words } = usePage()
  const title = [
    ...musters.map(({ muster, organization }) => `${words[muster.kind]}: ${organization}`),
    ...(musters.length === 0 && shown !== undefined ? [shown] : []),
    words.title
  ].join(" - ")
  useEffect(() => {
    document.title = title
  }, [title])
  const icon = musters.length === 0 ? "/favicon.svg" : `/page/${musters[0]!.muster.kind}.svg`
  useEffect(() => {
    document.querySelector<HTMLLinkElement>("link[rel=icon]")!.href = icon
  }, [icon])
  useEffect(
    () => () => {
      document.title = words.title
      document.querySelector<HTMLLinkElement>("link[rel=icon]")!.href = "/favicon.svg"
    },
    []
  )
  return <Alarms musters={musters} onShow={onShow} />
}

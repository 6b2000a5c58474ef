/** Announces open musters in every view: by an alert, by the title of the document and by its icon. */
import { useEffect } from "preact/hooks"
import { useMoment } from "../live/times.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { usePage } from "../shared/context.ts"
import type { OpenMuster } from "./useOpenMusters.ts"

interface AlarmsProps {
  readonly musters: ReadonlyArray<OpenMuster>
  readonly onShow: (organizationId: number) => void
}

const Alarm = ({ muster, organization, onShow }: OpenMuster & Pick<AlarmsProps, "onShow">) => {
  const { words } = usePage()
  const moment = useMoment(organization.timeZone)
  return (
    <p class={`bar alarm ${muster.kind}`}>
      <b>
        <bdi>{organization.name}</bdi>: {words.musterOpen(words[muster.kind], moment(muster.startedAt))}
      </b>
      <ActionButton action={words.toMuster} onClick={() => onShow(organization.id)} />
    </p>
  )
}

/** A line for each open muster, with the button that leads to it. */
export const Alarms = ({ musters, onShow }: AlarmsProps) => (
  <div role="alert" class="alarms">
    {musters.map((open) => (
      <Alarm key={open.muster.musterId} {...open} onShow={onShow} />
    ))}
  </div>
)

interface MusterBannerProps extends AlarmsProps {
  /** The name of what is shown, for the title. */
  readonly shown: string | undefined
}

const setDocument = (title: string, icon: string) => {
  document.title = title
  document.querySelector<HTMLLinkElement>("link[rel=icon]")!.href = icon
}

export const MusterBanner = ({ musters, shown, onShow }: MusterBannerProps) => {
  const { words } = usePage()
  const kinds = musters.map(({ muster, organization }) => `${words[muster.kind]}: ${organization.name}`)
  const title = [...(kinds.length === 0 && shown !== undefined ? [shown] : kinds), words.title].join(" - ")
  const icon = musters.length === 0 ? "/favicon.svg" : `/page/${musters[0]!.muster.kind}.svg`
  useEffect(() => setDocument(title, icon), [title, icon])
  useEffect(() => () => setDocument(words.title, "/favicon.svg"), [])
  return <Alarms musters={musters} onShow={onShow} />
}

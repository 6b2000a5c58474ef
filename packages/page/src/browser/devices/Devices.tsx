/** The tab of an organization's devices: every level sees them, managers make, renew and remove them. */
import type { CreatedDevice, Device, DeviceDraft } from "@sojourn/client"
import { useMemo, useRef, useState } from "preact/hooks"
import { lineagesOf, pathNameOf } from "../organizations/lineages.ts"
import { allows, type TabProps } from "../organizations/model.ts"
import { ActionButton, CsvButton, tableOf } from "../shared/ActionButton.tsx"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { addressOf, boardHrefOf } from "../shared/route.ts"
import { QrCode, Secret } from "../shared/Secret.tsx"
import { useOpened } from "../shared/context.ts"
import { Section } from "../shared/Section.tsx"
import { Toolbar } from "../shared/Toolbar.tsx"
import { type Action, useAction } from "../shared/useAction.tsx"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { usePages } from "../shared/usePages.tsx"
import { NewDevice } from "./NewDevice.tsx"
import { countedBy } from "./premises.ts"

/** A device with the names of where it counts, or of what it shows. */
type Placed = Device & { readonly at: ReadonlyArray<string> }

/** Whether a device does not count: it is silent, or behind. */
const isFaulty = ({ state }: Device): boolean => state === "silent" || state === "behind"

/** The token of a device, or the link of a display with its QR code: both are shown once. */
const Issued = ({ device: { organizationId, premises, name, kind, token } }: { readonly device: CreatedDevice }) => {
  const { words } = useOpened()
  if (kind !== "display") return <Secret label={words.tokenOf(name)} notice={words.tokenOnce(name)} secret={token} />
  // A display is a door sign where it shows a place alone.
  const { placeId } = premises.length === 1 ? premises[0]! : {}
  const link = addressOf(`#token=${token}&${boardHrefOf({ organizationId, placeId }).slice(1)}`)
  return (
    <Secret label={words.linkOf(name)} notice={words.linkOnce(name)} secret={link}>
      <QrCode link={link} />
    </Secret>
  )
}

interface DeviceItemProps {
  readonly device: Placed
  readonly isManager: boolean
  readonly action: Action
  readonly onIssued: (device: CreatedDevice) => void
  readonly onRemoved: () => void
}

/** A device in the list: where it counts or what it shows, whether it is silent, and what a manager does with it. */
const DeviceItem = ({ device, isManager, action: { isWaiting, run }, onIssued, onRemoved }: DeviceItemProps) => {
  const { words, formats, api } = useOpened()
  const { deviceId, name, state, lastSeenAt, drift, at } = device
  const isDisplay = device.kind === "display"
  const renew = () =>
    run(() => api.device.rotate({ deviceId }).then(onIssued), {
      text: words.newTokenSure(name),
      action: words.newToken
    })
  const remove = () =>
    run(() => api.device.remove({ deviceId }).then(onRemoved), {
      text: (isDisplay ? words.removeDisplaySure : words.removeDeviceSure)(name),
      action: words.remove,
      isDestructive: true
    })
  return (
    <li class={state}>
      <div class="bar">
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <span class={`badge ${state}`}>{(isDisplay ? words.displayState : words.deviceState)[state]}</span>
      </div>
      <dl>
        <dt>{isDisplay ? words.shows : words.countsAt}</dt>
        {at.length === 0 && <dd>–</dd>}
        {at.map((name) => (
          <dd key={name}>{name}</dd>
        ))}
        <dt>{words.lastSeen}</dt>
        <dd>{lastSeenAt === undefined ? "–" : formats.dayAndTime(lastSeenAt)}</dd>
        {!isDisplay && <dt>{words.drift}</dt>}
        {!isDisplay && <dd>{formats.number(drift)}</dd>}
      </dl>
      {isManager && (
        <Toolbar class="bar" label={name}>
          <ActionButton action={words.newToken} of={name} disabled={isWaiting} onClick={renew} />
          <ActionButton action={words.remove} of={name} class="destructive" disabled={isWaiting} onClick={remove} />
        </Toolbar>
      )}
    </li>
  )
}

const Devices = ({ data: { id: organizationId }, places, permission }: TabProps) => {
  const { words, formats, api } = useOpened()
  const list = () => api.device.list({ organizationId })
  const { value, failure, reload } = useLoaded(list, [organizationId], { intervalMs: POLL_INTERVAL_MS })
  const lineages = useMemo(() => lineagesOf(places), [places])
  const nameOf = ({ placeId }: Device["premises"][number]) =>
    placeId === undefined ? words.whole : pathNameOf(lineages.get(placeId) ?? []) || String(placeId)
  // Those that do not count come first.
  const devices = (value ?? [])
    .map((device): Placed => ({ ...device, at: device.premises.map(nameOf) }))
    .sort((one, other) => Number(isFaulty(other)) - Number(isFaulty(one)))
  const action = useAction()
  /** The device whose token the server answered last. */
  const [issued, setIssued] = useState<CreatedDevice>()
  const { shown, pager } = usePages(devices)
  const heading = useRef<HTMLHeadingElement>(null)
  const isManager = allows(permission, "manager")

  const onIssued = (device: CreatedDevice) => {
    setIssued(device)
    reload()
  }
  const create = (body: DeviceDraft) => api.device.create({ organizationId, body }).then(onIssued)
  const onRemoved = (deviceId: number) => {
    setIssued((issued) => (issued?.deviceId === deviceId ? undefined : issued))
    heading.current?.focus()
    reload()
  }
  if (value === undefined) return <NotLoaded failure={failure} />
  const silent = devices.filter(({ state }) => state === "silent").length
  const csv = ({ deviceId, kind, name, at, state, lastSeenAt, drift }: Placed) => ({
    deviceId,
    kind: kind ?? "counter",
    name,
    premises: at.join("; "),
    state,
    lastSeenAt,
    drift
  })
  return (
    <Section title={words.devices} heading={heading}>
      <p>{words.devicesHint}</p>
      {failure !== undefined && <NotLoaded failure={failure} />}
      <p role="status" class="fault">
        {silent > 0 && `⚠︎ ${words.silentDevices(formats.number(silent), formats.number(devices.length))}`}
      </p>
      {isManager && (
        <details open={devices.length === 0}>
          <summary>
            <h3>{words.newDevice}</h3>
          </summary>
          <NewDevice places={places} lineages={lineages} counted={countedBy(devices)} onCreate={create} />
        </details>
      )}
      <p role="status">{action.outcome}</p>
      {issued !== undefined && <Issued key={issued.token} device={issued} />}
      {devices.length === 0 ? (
        <p>{words.noDevices}</p>
      ) : (
        <>
          <ul class="cards">
            {shown.map((device) => (
              <DeviceItem
                key={device.deviceId}
                device={device}
                isManager={isManager}
                action={action}
                onIssued={onIssued}
                onRemoved={() => onRemoved(device.deviceId)}
              />
            ))}
          </ul>
          <div class="bar">
            {pager}
            <CsvButton of={words.devices} file="devices" rows={() => tableOf(devices, csv)} />
          </div>
        </>
      )}
    </Section>
  )
}

export default Devices

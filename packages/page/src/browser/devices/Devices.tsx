/** The tab of an organization's devices: every level sees them, managers make, renew and remove them. */
import type { CreatedDevice, Device, DeviceDraft } from "@sojourn/client"
import { useMemo, useRef, useState } from "preact/hooks"
import { lineagesOf, pathNameOf } from "../organizations/lineages.ts"
import { allows, type TabProps } from "../organizations/model.ts"
import { CsvButton } from "../shared/ActionButton.tsx"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { QrCode } from "../shared/QrCode.tsx"
import { boardHrefOf } from "../shared/route.ts"
import { Secret } from "../shared/Secret.tsx"
import { useOpened } from "../shared/context.ts"
import { useAction } from "../shared/useAction.tsx"
import { POLL_INTERVAL_MS, useLoaded } from "../shared/useLoaded.ts"
import { usePages } from "../shared/usePages.tsx"
import { DeviceItem } from "./DeviceItem.tsx"
import { NewDevice } from "./NewDevice.tsx"
import { countedBy } from "./premises.ts"

/** Whether a device does not count: it is silent, or behind. */
const isFaulty = ({ state }: Device): boolean => state === "silent" || state === "behind"

/** The link that makes a screen the board or the door sign of a display: a sign where it shows a place alone. */
const linkOf = ({ organizationId, premises, token }: CreatedDevice): string => {
  const { placeId } = premises.length === 1 ? premises[0]! : {}
  return `${location.origin}${location.pathname}#token=${token}&${boardHrefOf({ organizationId, placeId }).slice(1)}`
}

/** The token of a device, or the link of a display with its QR code: both are shown once. */
const Issued = ({ device }: { readonly device: CreatedDevice }) => {
  const { words } = useOpened()
  const { name, kind, token } = device
  if (kind !== "display") return <Secret label={words.tokenOf(name)} notice={words.tokenOnce(name)} secret={token} />
  const link = linkOf(device)
  return (
    <Secret label={words.linkOf(name)} notice={words.linkOnce(name)} secret={link}>
      <QrCode link={link} />
    </Secret>
  )
}

/** The devices, those that do not count first, each with the names of where it counts. */
const useDevices = ({ data, places }: Pick<TabProps, "data" | "places">) => {
  const { words, api } = useOpened()
  const { id: organizationId } = data
  const list = () => api.device.list({ organizationId })
  const { value, failure, reload } = useLoaded(list, [organizationId], { intervalMs: POLL_INTERVAL_MS })
  const lineages = useMemo(() => lineagesOf(places), [places])
  const nameOf = ({ placeId }: Device["premises"][number]) =>
    placeId === undefined ? words.whole : pathNameOf(lineages.get(placeId) ?? []) || String(placeId)
  const devices = value
    ?.map((device) => ({ ...device, at: device.premises.map(nameOf) }))
    .sort((one, other) => Number(isFaulty(other)) - Number(isFaulty(one)))
  return { devices, lineages, failure, reload }
}

const Devices = ({ data, places, permission, reloadPermissions }: TabProps) => {
  const { words, formats, api, ask } = useOpened()
  const { devices, lineages, failure, reload } = useDevices({ data, places })
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  /** The device whose token the server answered last. */
  const [issued, setIssued] = useState<CreatedDevice>()
  const { shown, pager } = usePages(devices ?? [])
  const heading = useRef<HTMLHeadingElement>(null)
  const isManager = allows(permission, "manager")

  const issue = async (device: Promise<CreatedDevice>) => {
    setIssued(await device)
    reload()
  }
  const create = (body: DeviceDraft, onCreated: () => void) =>
    run(() => issue(api.device.create({ organizationId: data.id, body })).then(onCreated))
  const renew = async ({ deviceId, name }: Device) => {
    if (await ask({ text: words.newTokenSure(name), action: words.newToken }))
      run(() => issue(api.device.rotate({ deviceId })))
  }
  const remove = async ({ deviceId, name, kind }: Device) => {
    const sure = kind === "display" ? words.removeDisplaySure : words.removeDeviceSure
    if (!(await ask({ text: sure(name), action: words.remove, isDestructive: true }))) return
    run(async () => {
      await api.device.remove({ deviceId })
      setIssued((issued) => (issued?.deviceId === deviceId ? undefined : issued))
      heading.current?.focus()
      reload()
    })
  }

  if (devices === undefined) return <NotLoaded failure={failure} />
  const silent = devices.filter(({ state }) => state === "silent").length
  const csv = () => [
    ["deviceId", "kind", "name", "premises", "state", "lastSeenAt", "drift"],
    ...devices.map(({ deviceId, kind, name, at, state, lastSeenAt, drift }) => [
      deviceId,
      kind ?? "counter",
      name,
      at.join("; "),
      state,
      lastSeenAt,
      drift
    ])
  ]
  return (
    <section class="devices" aria-labelledby="devices">
      <h2 id="devices" ref={heading} tabindex={-1}>
        {words.devices}
      </h2>
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
          <NewDevice
            places={places}
            lineages={lineages}
            counted={countedBy(devices)}
            isWaiting={isWaiting}
            onCreate={create}
          />
        </details>
      )}
      <p role="status">{outcome}</p>
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
                premises={device.at}
                isManager={isManager}
                isWaiting={isWaiting}
                onRenew={() => void renew(device)}
                onRemove={() => void remove(device)}
              />
            ))}
          </ul>
          <div class="bar">
            {pager}
            <CsvButton of={words.devices} file="devices" rows={csv} />
          </div>
        </>
      )}
    </section>
  )
}

export default Devices

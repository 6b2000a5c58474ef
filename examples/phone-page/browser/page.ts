/** Tracks the browser that this page is open in, and shows what the tracker knows. */
import { createTracker, type TrackerStatus } from "@sojourn/tracker"

interface Settings {
  readonly url: string
  readonly organizationId: number
  readonly placeIds: ReadonlyArray<number>
}

const settings: Settings = await (await fetch("/settings.json")).json()

const tracker = await createTracker({
  url: settings.url,
  token: async () => (await fetch("/token")).text(),
  storage: localStorage
})

const show = (id: string, text: string) => {
  document.getElementById(id)!.textContent = text
}

const render = ({ inside, waiting, refused, lastError, stale }: TrackerStatus) => {
  const places = inside.map(({ organizationId, placeId }) =>
    placeId ? `place ${placeId}` : `organization ${organizationId}`
  )
  show("inside", places.join(", ") || "nothing")
  show("waiting", String(waiting))
  show("refused", String(refused.length))
  show("error", stale ? "no position for long" : (lastError ?? "none"))
}

const list = async () => {
  const lists = await Promise.all(settings.placeIds.map((placeId) => tracker.accesses({ placeId })))
  const rows = lists.flat().map(({ placeId, entranceTimestamp, exitTimestamp }) => {
    const row = document.createElement("li")
    row.textContent = `place ${placeId}: ${entranceTimestamp} to ${exitTimestamp}`
    return row
  })
  document.getElementById("accesses")!.replaceChildren(...rows)
}

tracker.subscribe(render)
render(tracker.status())

let positions = 0
navigator.geolocation.watchPosition(
  (position) => {
    tracker.push(position)
    show("positions", String(++positions))
  },
  ({ code, message }) => show("state", `no position: ${message || code}`),
  { enableHighAccuracy: true }
)

addEventListener("online", () => void tracker.flush())
document
  .getElementById("list")!
  .addEventListener("click", () => void list().catch((error) => show("error", String(error))))
document.getElementById("forget")!.addEventListener("click", () => void tracker.forget())

await tracker.follow([settings.organizationId])
show("state", "following")

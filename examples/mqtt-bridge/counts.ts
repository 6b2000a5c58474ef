/** From the server to MQTT: how many people are inside, as retained messages, with the discovery messages of Home Assistant. */
import { makeClient } from "@sojourn/client"
import type { MqttClient } from "mqtt"
import { setTimeout as pause } from "node:timers/promises"

const RETRY_MS = 10_000

interface Premises {
  readonly kind: "organization" | "place"
  readonly id: number
}

const organization = (id: number): Premises => ({ kind: "organization", id })
const place = (id: number): Premises => ({ kind: "place", id })

const insideTopic = ({ kind, id }: Premises) => `sojourn/${kind}s/${id}/inside`
const configTopic = ({ kind, id }: Premises) => `homeassistant/sensor/sojourn_${kind}_${id}/config`

export interface CountsOptions {
  readonly baseUrl: string
  /** The token of an administrator. */
  readonly token: () => Promise<string>
  readonly organizations: ReadonlyArray<number>
  /** Where `online` or `offline` says whether the counts are current. */
  readonly availability: string
}

/** Publishes the counts of organizations and their places for as long as the process runs. */
export const publishCounts = async (
  mqtt: MqttClient,
  { baseUrl, token, organizations, availability }: CountsOptions
): Promise<never> => {
  const retained = new Map<string, string>()
  const publish = (topic: string, payload: string) => {
    if (retained.get(topic) === payload) return
    retained.set(topic, payload)
    if (mqtt.connected) mqtt.publish(topic, payload, { retain: true })
  }
  // What changed while there was no connection, and everything if the broker has forgotten it.
  mqtt.on("connect", () => {
    for (const [topic, payload] of retained) mqtt.publish(topic, payload, { retain: true })
  })

  const watchedFetch = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init).catch(() => undefined)
    publish(availability, response?.ok === true ? "online" : "offline")
    if (response === undefined) throw new Error("the server does not answer")
    return response
  }
  const client = makeClient({ baseUrl, token, fetch: watchedFetch, retries: 5 })

  const setInside = (premises: Premises, inside: number) => publish(insideTopic(premises), String(inside))

  /** An empty message removes a retained one, and Home Assistant the entity with it. */
  const remove = (premises: Premises) => {
    for (const topic of [configTopic(premises), insideTopic(premises)]) publish(topic, "")
  }

  const placesOf = new Map<number, ReadonlyArray<number>>()

  /** Publishes the names of an organization and its places: one device of Home Assistant, with an entity for each. */
  const describe = async (organizationId: number) => {
    const { name: organizationName } = await client.organization.get({ organizationId })
    const places = await client.place.list({ organizationId })
    const describeOne = (premises: Premises, name: string) =>
      publish(
        configTopic(premises),
        JSON.stringify({
          name,
          unique_id: `sojourn_${premises.kind}_${premises.id}`,
          state_topic: insideTopic(premises),
          state_class: "measurement",
          unit_of_measurement: "people",
          icon: "mdi:account-group",
          availability_topic: availability,
          device: {
            identifiers: [`sojourn_organization_${organizationId}`],
            name: organizationName,
            manufacturer: "Sojourn"
          }
        })
      )
    describeOne(organization(organizationId), "Inside")
    for (const { id, name } of places) describeOne(place(id), name)
    const ids = places.map(({ id }) => id)
    for (const id of placesOf.get(organizationId) ?? []) if (!ids.includes(id)) remove(place(id))
    placesOf.set(organizationId, ids)
  }

  const follow = async () => {
    for await (const { event, data } of client.stream.presence({ organizations })) {
      if (event === "snapshot") {
        for (const { organizationId, inside, places } of data.organizations) {
          await describe(organizationId)
          setInside(organization(organizationId), inside)
          for (const { placeId, inside } of places) setInside(place(placeId), inside)
        }
      } else if (event === "presence.changed") {
        const { organizationId, placeId, inside } = data
        setInside(placeId === undefined ? organization(organizationId) : place(placeId), inside)
      } else if (event === "organization.changed") {
        await describe(data.organizationId)
      } else if (event === "place.changed") {
        await describe(data.organizationId)
        if (data.changed === "created") setInside(place(data.placeId), 0)
        if (data.changed === "deleted") remove(place(data.placeId))
      } else if (event === "gone") {
        for (const id of placesOf.get(data.organizationId) ?? []) remove(place(id))
        remove(organization(data.organizationId))
      }
    }
  }

  for (;;) {
    // A refusal for good ends the stream, as when the token has expired. Then there may be another one in its file.
    await follow().catch((error) => console.error(`counts: ${String(error)}`))
    publish(availability, "offline")
    await pause(RETRY_MS)
  }
}

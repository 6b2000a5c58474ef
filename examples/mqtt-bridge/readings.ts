/** From MQTT to the server: readings of devices. The broker keeps each message until the server has answered. */
import { makeClient, type Reading, Refused } from "@sojourn/client"
import type { IPublishPacket, MqttClient } from "mqtt"
import { setTimeout as pause } from "node:timers/promises"

/** The most readings of a request. */
const MAX_READINGS = 100
const TIMEOUT_MS = 10_000
const RETRY_SECONDS = 2

interface Message {
  readonly payload: string
  readonly readings: ReadonlyArray<Reading>
  acknowledge: () => void
}

/** The acknowledgement of a message (MQTT 3.1.1, 3.4), on the connection that it came on. On the next one the broker sends the message again. */
const acknowledgementOf =
  ({ stream }: MqttClient, { qos, messageId = 0 }: IPublishPacket) =>
  () => {
    if (qos > 0 && !stream.destroyed) stream.write(Uint8Array.of(0x40, 2, messageId >> 8, messageId & 0xff))
  }

const readingsOf = (payload: string): ReadonlyArray<Reading> | undefined => {
  try {
    const content = JSON.parse(payload)
    return Array.isArray(content) ? content : [content]
  } catch {
    return undefined
  }
}

/** Removes the first messages that fit into one request, at least one. */
const takeBatch = (waiting: Array<Message>): ReadonlyArray<Message> => {
  let count = 0
  let readings = 0
  for (const message of waiting) {
    readings += message.readings.length
    if (count > 0 && readings > MAX_READINGS) break
    count++
  }
  return waiting.splice(0, count)
}

/**
 * Forwards the readings of `sojourn/devices/<name>/reading` with the token of the device of that name. Readings that the server refuses for
 * good go to `sojourn/devices/<name>/error`. Call it before the client is connected.
 */
export const forwardReadings = (mqtt: MqttClient, baseUrl: string, tokens: Readonly<Record<string, string>>) => {
  const reject = async (name: string, { payload, acknowledge }: Omit<Message, "readings">, reason: object) => {
    await mqtt.publishAsync(`sojourn/devices/${name}/error`, JSON.stringify({ ...reason, payload }), { qos: 1 })
    acknowledge()
  }

  const makeDevice = ([name, token]: readonly [string, string]) => {
    const { device } = makeClient({ baseUrl, token })
    const waiting: Array<Message> = []
    let isSending = false

    /** Sends readings until the server accepts them, or refuses them for good. */
    const send = async (readings: ReadonlyArray<Reading>): Promise<Refused | undefined> => {
      for (;;) {
        try {
          await device.count({ body: { readings } }, { signal: AbortSignal.timeout(TIMEOUT_MS) })
          return undefined
        } catch (error) {
          const isRefused = error instanceof Refused
          if (isRefused && error.status !== 429 && error.status !== 503) return error
          console.error(`${name}: ${String(error)}`)
          await pause(((isRefused ? error.retryAfter : undefined) ?? RETRY_SECONDS) * 1000)
        }
      }
    }

    const deliver = async (batch: ReadonlyArray<Message>): Promise<void> => {
      const refusal = await send(batch.flatMap(({ readings }) => readings))
      if (refusal === undefined) for (const { acknowledge } of batch) acknowledge()
      else if (batch.length === 1) {
        const { status, type, detail } = refusal
        await reject(name, batch[0]!, { status, type, detail })
      }
      // The server accepts all readings or none. One by one, the good ones are accepted.
      else for (const message of batch) await deliver([message])
    }

    const receive = (message: Message, isDuplicate: boolean) => {
      const same = isDuplicate ? waiting.find(({ payload }) => payload === message.payload) : undefined
      if (same === undefined) waiting.push(message)
      else same.acknowledge = message.acknowledge
    }

    const sendAll = async () => {
      if (isSending) return
      isSending = true
      while (waiting.length > 0) await deliver(takeBatch(waiting))
      isSending = false
    }
    return { receive, sendAll }
  }

  const devices = new Map(Object.entries(tokens).map((entry) => [entry[0], makeDevice(entry)]))

  mqtt.handleMessage = (packet, done) => {
    const [, , name = ""] = packet.topic.split("/")
    const payload = packet.payload.toString()
    const acknowledge = acknowledgementOf(mqtt, packet)
    const device = devices.get(name)
    const readings = readingsOf(payload)
    if (device === undefined)
      void reject(name, { payload, acknowledge }, { detail: "There is no token of this device." })
    else if (readings === undefined) void reject(name, { payload, acknowledge }, { detail: "This is not JSON." })
    else {
      device.receive({ payload, readings, acknowledge }, packet.dup)
      void device.sendAll()
    }
    // With an error mqtt.js does not acknowledge the message, and goes on.
    done(new Error("acknowledged later"))
  }
  mqtt.subscribe("sojourn/devices/+/reading", { qos: 1 }, (error) => {
    if (error !== null) console.error(`no readings: ${String(error)}`)
  })
}

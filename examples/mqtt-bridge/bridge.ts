/**
 * A bridge between a broker of MQTT and a server: readings of devices come in, and counts go out. It runs until it is stopped. It
 * needs no other end than that: then the broker publishes the bridge's last will, and keeps new readings for the next start.
 */
import { connect } from "mqtt"
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { publishCounts } from "./counts.ts"
import { forwardReadings } from "./readings.ts"

const required = (name: string) => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is missing`)
  return value
}

const { MQTT_URL = "mqtt://127.0.0.1:1883", MQTT_CLIENT_ID = "sojourn-bridge" } = process.env
const baseUrl = required("SOJOURN_URL")
const tokenFile = required("SOJOURN_TOKEN_FILE")
const organizations = required("SOJOURN_ORGANIZATIONS").split(",").map(Number)
/** The tokens of devices by their names in topics: `{"main-door": "sjd_..."}`. */
const devices = JSON.parse(readFileSync(required("SOJOURN_DEVICES_FILE"), "utf8"))
const availability = `sojourn/bridges/${MQTT_CLIENT_ID}/availability`

const mqtt = connect(MQTT_URL, {
  clientId: MQTT_CLIENT_ID,
  // The broker keeps the session, and the messages of QoS 1 in it, while the bridge is away.
  clean: false,
  reconnectOnConnackError: true,
  will: { topic: availability, payload: Buffer.from("offline"), qos: 1, retain: true }
})
mqtt.on("error", (error) => console.error(`broker: ${String(error)}`))

forwardReadings(mqtt, baseUrl, devices)
await publishCounts(mqtt, {
  baseUrl,
  // Read for each request, so that another program may renew it.
  token: async () => (await readFile(tokenFile, "utf8")).trim(),
  organizations,
  availability
})

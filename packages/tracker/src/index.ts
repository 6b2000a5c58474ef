/** Presence tracking on the device: positions in, entrances and exits out. Positions never leave it. */
export * from "@sojourn/core/geofence"

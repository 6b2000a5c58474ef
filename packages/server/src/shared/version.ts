/** The version of this server: that of all packages. */
export { VERSION as version } from "@sojourn/adapter-http"

import type { PageSettings } from "@sojourn/page"
import type * as Command from "effect/cli/Command"
import { Effect } from "effect"
import { StartupError } from "@sojourn/service"
import type { Issuers } from "../identity/issuers.ts"
import { text, yes } from "./flags.ts"

/** The flags of the administrators' page. */
export const pageFlags = {
  noPage: yes("no-page", "Answer no page for administrators at /"),
  pageClientId: text(
    "page-client-id",
    "The page as a client of --issuer, to sign administrators in there; with --issuers each one's own `page` says so",
    ""
  ),
  pageTiles: text(
    "page-tiles",
    "A base map for the page, as https://tiles.example.org/{z}/{x}/{y}.png; administrators' browsers ask it for the surroundings",
    ""
  ),
  pageTilesAttribution: text("page-tiles-attribution", "Whom the base map comes from, to be shown on it", "")
}

type PageFlags = Command.Command.Config.Infer<typeof pageFlags> & { readonly issuer: string; readonly demo: boolean }

const refuse = (message: string) => Effect.fail(new StartupError({ message }))

/** A tile's URL: over https, or from this machine; what varies is its path or query. */
const TILES = /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)[:/])[^{}\s]+\//

const baseMapOf = Effect.fnUntraced(function* ({ pageTiles: url, pageTilesAttribution: attribution }: PageFlags) {
  if (url === "") {
    return attribution === "" ? undefined : yield* refuse("--page-tiles-attribution needs --page-tiles")
  }
  const isComplete = ["{z}", "{x}", "{y}"].every((name) => url.includes(name))
  if (!isComplete || !TILES.test(url) || !URL.canParse(url)) {
    return yield* refuse(`--page-tiles is a URL as https://tiles.example.org/{z}/{x}/{y}.png: ${url}`)
  }
  return { url, ...(attribution !== "" && { attribution }) }
})

/** The page that the flags choose; `false`: none. */
export const pageOf = Effect.fnUntraced(function* (
  flags: PageFlags,
  { signIns, others }: Pick<Issuers, "signIns" | "others">
): Effect.fn.Return<false | Omit<PageSettings, "passwords">, StartupError> {
  const { issuer, pageClientId: clientId } = flags
  if (clientId !== "" && issuer === "") return yield* refuse("--page-client-id needs --issuer")
  const baseMap = yield* baseMapOf(flags)
  if (flags.noPage) return false
  const issuers = clientId === "" ? signIns : [{ issuer, clientId }]
  return {
    ...(issuers.length > 0 && { issuers }),
    // The own issuer proves no address.
    ...(others.every(({ mail }) => mail === false) && { provesMail: false }),
    ...(baseMap !== undefined && { baseMap }),
    ...(flags.demo && { keepLinks: true })
  }
})

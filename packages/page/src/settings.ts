/** An operator's settings in the page's document and in its policy. */
import type { PageSettings } from "./browser/shared/PageSettings.ts"

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** The document with the settings in a `meta` element, where `browser/shared/settings.ts` reads them. */
export const withSettings = (html: string, settings: PageSettings): string => {
  const content = JSON.stringify(settings).replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!)
  return html.replace("<title>", () => `<meta name="sojourn-settings" content="${content}">\n<title>`)
}

const originOf = (url: string): string => new URL(url).origin

/**
 * The Content-Security-Policy of the page: it loads its own files and calls its own server. Beyond these it reaches the origins of
 * the settings alone: issuers by requests, and a base map by images. Images are also those that the page itself makes (`blob:`): it
 * reads floor plans with the session's token, which the browser does not send for an image.
 */
export const policyOf = ({ issuers = [], baseMap }: PageSettings): string => {
  const endpoints = issuers.flatMap(({ issuer, tokenEndpoint = issuer }) => [issuer, tokenEndpoint])
  const connections = new Set(["'self'", ...endpoints.map(originOf)])
  const images = ["'self'", "blob:", ...(baseMap === undefined ? [] : [originOf(baseMap.url)])]
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images.join(" ")}`,
    `connect-src ${[...connections].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; ")
}

import type { PageSettings } from "./PageSettings.ts"

/** The operator's settings, which the server writes into the document. */
export const settings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="sojourn-settings"]')?.content ?? "{}"
) as PageSettings

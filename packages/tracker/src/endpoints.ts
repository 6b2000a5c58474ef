/** The endpoints that a device calls, as the client has them: the rest of the client's table would be a twelfth of an app's tracker. */
import type { Endpoint } from "@sojourn/client/http"

export const ENDPOINTS = {
  organization: { get: ["GET", "/organization/{organizationId}", ""] },
  place: { list: ["GET", "/place/organization/{organizationId}", "", "list"] },
  movement: {
    trackOrganization: ["POST", "/movement/track/organization", ""],
    trackPlace: ["POST", "/movement/track/place", ""]
  },
  access: {
    organizationAnonymous: ["GET", "/access/organization/{organizationId}/anonymous/{exitTokens}", "", "list"],
    placeAnonymous: ["GET", "/access/place/{placeId}/anonymous/{exitTokens}", "", "list"],
    organizationAuthenticated: [
      "GET",
      "/access/organization/{organizationId}/authenticated/{orgAuthServerIds}",
      "",
      "list"
    ],
    placeAuthenticated: ["GET", "/access/place/{placeId}/authenticated/{orgAuthServerIds}", "", "list"]
  },
  accountlink: { link: ["POST", "/authenticationserver/link", ""] },
  health: { live: ["GET", "/health/live", ""] }
} as const satisfies Readonly<Record<string, Readonly<Record<string, Endpoint>>>>

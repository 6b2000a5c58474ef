/** The operator's settings of the page, shared by the server, which writes them, and the browser, which reads them. */

/** An OpenID Connect issuer that administrators sign in with on the page, as a client without a secret. */
export interface SignInIssuer {
  /** The issuer, exactly as its tokens name it. Its discovery document is below it, and may be read by the page's origin. */
  readonly issuer: string
  /** The page as the issuer knows it: its redirect URI is the address of the page, `https://sojourn.example.org/`. */
  readonly clientId: string
  /** What the button names; the issuer's host by default. */
  readonly label?: string | undefined
  /** The scopes that are asked for; `openid` by default, which has to be one of them. */
  readonly scope?: string | undefined
  /** The token endpoint, where it is on another origin than the issuer. */
  readonly tokenEndpoint?: string | undefined
  /** Further parameters of the authorization and token requests, such as `resource` or `audience`. */
  readonly parameters?: Readonly<Record<string, string>> | undefined
}

/** A base map below the areas. */
export interface BaseMap {
  /** The URL of a tile of 256 pixels in the Web Mercator projection, with `{z}`, `{x}` and `{y}`. */
  readonly url: string
  /** Whom the map comes from. */
  readonly attribution?: string | undefined
}

/** What an operator chooses of the page. */
export interface PageSettings {
  readonly issuers?: ReadonlyArray<SignInIssuer> | undefined
  /** Whether administrators can sign in with a password; so by default. */
  readonly passwords?: boolean | undefined
  /** Whether the session of a link with a token lasts until its tab is closed, as for the demo. Not by default: reloading ends it. */
  readonly keepLinks?: boolean | undefined
  /** Whether an issuer proves administrators' mail addresses; so by default. Without one, no invitation can be accepted, and the page says so. */
  readonly provesMail?: boolean | undefined
  /** None by default: no request leaves the page's origin then. */
  readonly baseMap?: BaseMap | undefined
}

/** A request without its body, as every driver gives it. */
export interface RequestHead {
  readonly method: string
  /** Path and query as they were sent: no escape is decoded. */
  readonly url: string
  /** By names in lower case; fields that were sent several times are joined as HTTP joins them. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** The platform's own request: Node's `IncomingMessage`, or the `Request` of the Fetch standard. */
  readonly source: object
}

/** The part of a URL before its query. */
export const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return query === -1 ? url : url.slice(0, query)
}

/** Whether the body has a content coding, such as gzip. */
export const isEncoded = ({ "content-encoding": coding }: RequestHead["headers"]): boolean =>
  coding !== undefined && coding.toLowerCase() !== "identity"

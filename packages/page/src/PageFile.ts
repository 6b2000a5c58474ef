/** A file of the page, as a server answers it. */
export interface PageFile {
  /** Its path on the server. The names below `/page/` change with the content, so that a client may keep them for good. */
  readonly path: string
  /** Its media type. */
  readonly type: string
  readonly text: string
}

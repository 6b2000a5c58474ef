/**
 * A body that writes its chunks as they arise. Answers that last for hours need no fiber each then, as for a `Stream`, whose fiber and
 * its parts take more memory than all else that an idle connection needs.
 */
export interface PushedBody {
  readonly _tag: "Pushed"
  readonly contentType: string
  readonly contentLength: undefined
  /** Begins to write; called once at most. */
  readonly open: (sink: BodySink) => void
  /** The sink takes more. */
  readonly drained: () => void
  /** The sink is gone: the client read everything, or has left. */
  readonly close: () => void
}

/** Where a driver writes a body that is pushed. */
export interface BodySink {
  /** Writes a chunk, whose pieces may be shared with other bodies. Where it returns false, the next one should wait for {@link PushedBody.drained}. */
  readonly write: (pieces: ReadonlyArray<Uint8Array>) => boolean
  readonly end: () => void
  /** Closes the connection, and drops what the client has not read. */
  readonly destroy: () => void
}

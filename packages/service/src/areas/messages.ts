/** The messages between the server and the thread that checks areas. */
import type { MessagePort } from "node:worker_threads"
import type { AreaCheck, AreaFault } from "@sojourn/core/AreaChecks"

/** A check, for how many milliseconds it may compute, and the port that its `CheckReply` is sent to. */
export interface CheckMessage {
  readonly check: AreaCheck
  readonly limitMillis: number
  readonly port: MessagePort
}

/** What a check found after some milliseconds of computing, or that it exceeded its limit. */
export type CheckReply = "late" | { readonly millis: number; readonly fault: AreaFault | undefined }

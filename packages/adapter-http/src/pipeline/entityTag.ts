/** Entity tags of content, and whether a client has it (RFC 9110, section 13.1.2). */

/** A tag of the content, by its SHA-256. */
export const tagOf = async (content: Uint8Array): Promise<string> => {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content as Uint8Array<ArrayBuffer>))
  return `"${Array.from(digest.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("")}"`
}

/** Whether `If-None-Match` names the tag, or anything where it says `*`. */
export const hasTag = (known: string | undefined, tag: string): boolean =>
  known?.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag) ?? false

import { Effect } from "effect"
import type { Authorities } from "../src/index.ts"

/** The authority, and how many tokens it has verified. */
export const counted = (authority: Authorities.Authority) => {
  let verified = 0
  const counting: Authorities.Authority = {
    ...authority,
    authenticate: (presented) =>
      Effect.suspend(() => {
        verified++
        return authority.authenticate(presented)
      })
  }
  return { authority: counting, verified: () => verified }
}

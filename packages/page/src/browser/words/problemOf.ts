/** Problems of the server by their stable kinds, for the languages that the server does not speak. */
import type { ProblemKind } from "@sojourn/adapter-http/api"

/** The sentences of a language, one for each kind of problem. */
export type ProblemTexts = { readonly [Kind in ProblemKind]: string }

/** The sentence of a problem's `type`, such as `urn:sojourn:problem:place-not-found`; empty for a kind of a later version. */
export const problemOf = (texts: Partial<ProblemTexts>, type: string): string => {
  const kind = type.replace(/^.*:/, "").replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())
  return texts[kind as ProblemKind] ?? ""
}

/** How a language names the reasons for which a webhook's receiver got nothing. */
interface ReasonTexts {
  readonly answered: (status: string) => string
  readonly ownerLost: string
  readonly forgotten: string
  readonly unreachable: string
}

/** Why a delivery failed, by what the server's sentence begins with. */
export const reasonOf = (texts: ReasonTexts, reason: string): string => {
  const status = /answered (\d+)$/.exec(reason)?.[1]
  if (status !== undefined) return texts.answered(status)
  if (reason.startsWith("the administrator")) return texts.ownerLost
  if (reason.startsWith("events were forgotten")) return texts.forgotten
  return texts.unreachable
}

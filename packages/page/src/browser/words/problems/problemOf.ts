/** Problems of the server by their stable kinds, for the languages that the server does not speak. */

/** The sentences of a language, by the kind of the problem. */
export type ProblemTexts = Readonly<Record<string, string>>

/** The sentence of a problem's `type`, such as `urn:sojourn:problem:place-not-found`; empty where the language has none for it. */
export const problemOf = (texts: ProblemTexts, type: string): string =>
  texts[type.replace(/^.*:/, "").replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())] ?? ""

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

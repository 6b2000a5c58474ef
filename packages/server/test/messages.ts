/** Messages of `GET /presence/stream`. */

/** A message of a stream, as a client reads it. */
export interface Message {
  readonly event: string
  readonly id: string | undefined
  readonly data: any
}

const parse = (block: string): Message | undefined => {
  const fields = block.split("\n").map((line) => /^([a-z]*): ?(.*)$/.exec(line))
  const of = (name: string) => fields.find((field) => field?.[1] === name)?.[2]
  const data = of("data")
  return data === undefined ? undefined : { event: of("event") ?? "message", id: of("id"), data: JSON.parse(data) }
}

/** Takes the text of a stream, chunk by chunk, and returns the messages that each chunk completes. */
export const makeMessageParser = () => {
  let rest = ""
  return (chunk: string): ReadonlyArray<Message> => {
    const blocks = (rest + chunk).split("\n\n")
    rest = blocks.pop()!
    return blocks.flatMap((block) => parse(block) ?? [])
  }
}

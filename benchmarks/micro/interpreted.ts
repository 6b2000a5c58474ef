/** Measures in a process whose schemas are not compiled: it is sent over IPC what to ask and for how long. */
import { Effect } from "effect"
import type { Asked } from "./Interpreter.ts"
import { round } from "./measure.ts"
import { interpretedSubjects, wrongAnswers } from "./subjects.ts"

const all = interpretedSubjects()
const wrong = wrongAnswers(all)

process.once("disconnect", () => process.exit())
process.on("message", ({ name, patience }: Asked) => {
  const subject = all.find((one) => one.name === name)
  if (subject === undefined || wrong.includes(name)) throw new Error(`${name} answers wrongly`)
  void Effect.runPromise(round(subject, patience)).then((one) => process.send!(one))
})

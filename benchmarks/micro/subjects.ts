import { areas } from "./areas.ts"
import { codecs, pathLists } from "./codecs.ts"
import { movement } from "./movement.ts"
import { permissions } from "./permissions.ts"
import { stays } from "./stays.ts"
import type { Subject } from "./Subject.ts"
import { tokens } from "./tokens.ts"

/** What calling anything takes: it is in every figure. */
const nothing: Subject = { name: "nothing", once: () => 0, isRight: (answer) => answer === 0 }

/** Everything that is measured where schemas are compiled, as in the server. */
export const subjects = (): ReadonlyArray<Subject> => [
  nothing,
  ...stays(),
  ...tokens(),
  ...permissions(),
  ...codecs("compiled"),
  ...pathLists(),
  ...movement(),
  ...areas()
]

/** What is measured again where schemas are interpreted. */
export const interpretedSubjects = (): ReadonlyArray<Subject> => codecs("interpreted")

/** The subjects whose names hold the text. */
export const matching = (all: ReadonlyArray<Subject>, filter: string): ReadonlyArray<Subject> =>
  all.filter(({ name }) => name.includes(filter))

/** Those that answer wrongly: what they cost is the cost of something else. */
export const wrongAnswers = (all: ReadonlyArray<Subject>): ReadonlyArray<string> =>
  all.filter(({ isRight, once }) => !isRight(once())).map(({ name }) => name)

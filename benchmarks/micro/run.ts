// First of all, as in the server: schemas are compiled that were not used before.
import "effect/schema/SchemaJITCompiler/enable"
import { Data, Effect } from "effect"
import { makeInterpreter } from "./Interpreter.ts"
import { type Cost, costOf, type Patience, round, type Round } from "./measure.ts"
import { interpretedSubjects, matching, subjects, wrongAnswers } from "./subjects.ts"

/** The patience that the project measures itself by. */
export const USUAL: Patience = { rounds: 7, milliseconds: 60, batch: 512 }

/** No subject's name holds the filter. */
export class NothingMatches extends Data.TaggedError("NothingMatches")<{ readonly filter: string }> {
  override get message(): string {
    return `nothing is called like ${JSON.stringify(this.filter)}`
  }
}

/** Rules answered otherwise than they must on what they are measured with. */
export class AnswersWrong extends Data.TaggedError("AnswersWrong")<{ readonly names: ReadonlyArray<string> }> {
  override get message(): string {
    return `answered wrongly: ${this.names.join("; ")}`
  }
}

/**
 * What every rule costs whose name holds the filter: medians of rounds in which each has its turn, so that whatever else
 * the machine does falls on all alike.
 */
export const run = Effect.fnUntraced(function* (filter: string, patience: Patience) {
  const all = matching(subjects(), filter)
  const names = matching(interpretedSubjects(), filter).map(({ name }) => name)
  if (all.length + names.length === 0) return yield* new NothingMatches({ filter })
  const wrong = wrongAnswers(all)
  if (wrong.length > 0) return yield* new AnswersWrong({ names: wrong })
  const interpreter = yield* makeInterpreter
  const measured = new Map<string, Array<Round>>([...all.map(({ name }) => name), ...names].map((name) => [name, []]))
  for (let nth = 0; nth < patience.rounds; nth++) {
    for (const subject of all) measured.get(subject.name)!.push(yield* round(subject, patience))
    for (const name of names) measured.get(name)!.push(yield* interpreter.round(name, patience))
  }
  return [...measured].map(([name, some]) => costOf(name, some)) satisfies ReadonlyArray<Cost>
}, Effect.scoped)

/** Use cases whose changes the audit names the caller of. */
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type { AnyCaller } from "../../domain/accounts/Caller.ts"
import { actorOf } from "../../domain/audit/AuditEntry.ts"
import { CurrentActor } from "./authors.ts"

type UseCase = (caller: AnyCaller, ...rest: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/** Makes use cases run in the name of their first argument, where that is an administrator or an operator. */
export const byCaller = <UseCases extends object>(useCases: UseCases): UseCases =>
  Record.map(useCases as Readonly<Record<string, UseCase>>, (useCase): UseCase => (caller, ...rest) => {
    const actor = actorOf(caller)
    const effect = useCase(caller, ...rest)
    return actor === undefined ? effect : Effect.provideService(effect, CurrentActor, actor)
  }) as UseCases

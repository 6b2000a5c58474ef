/**
 * `npm run compare`: measures the server's bundle beside services written by hand, on one PostgreSQL. It fails when a candidate answers
 * wrongly, and judges no figure.
 */
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CANDIDATES } from "./compare/candidates.ts"
import { compare, SCENARIOS, type Scenario, SHORT, USUAL } from "./compare/compare.ts"
import { report } from "./compare/tables.ts"
import { runCommand } from "./shared/command.ts"

const chosen = <A>(values: ReadonlyArray<A>, usual: ReadonlyArray<A>) => (values.length === 0 ? usual : values)

const command = Command.make(
  "compare",
  {
    only: Flag.Literals(
      "only",
      CANDIDATES.map(({ name }) => name)
    ).pipe(Flag.withDescription("A candidate; repeated: several (default all)"), Flag.atLeast(0)),
    scenario: Flag.Literals("scenario", Object.keys(SCENARIOS) as ReadonlyArray<Scenario>).pipe(
      Flag.withDescription("A scenario; repeated: several (default all)"),
      Flag.atLeast(0)
    ),
    connections: Flag.Int("connections").pipe(
      Flag.withDescription(
        `How many connections work at once; repeated: one after the other (default ${USUAL.connections.join(", ")})`
      ),
      Flag.atLeast(0)
    ),
    rounds: Flag.Int("rounds").pipe(
      Flag.withDescription("How many rounds are counted"),
      Flag.withDefault(USUAL.rounds)
    ),
    commitDelay: Flag.Finite("commit-delay").pipe(
      Flag.withDescription("How many milliseconds longer each commit takes, as of a slow disk"),
      Flag.withDefault(0)
    ),
    wireDelay: Flag.Finite("wire-delay").pipe(
      Flag.withDescription("How many milliseconds the candidates are from PostgreSQL, each way"),
      Flag.withDefault(0)
    ),
    short: Flag.Boolean("short").pipe(
      Flag.withDescription("Everything briefly: whether it works, and nothing of speed")
    )
  },
  Effect.fnUntraced(function* ({ only, scenario, connections, rounds, short, ...delays }) {
    const usual = short ? SHORT : { ...USUAL, rounds }
    const compared = yield* compare(
      {
        ...usual,
        ...delays,
        candidates: CANDIDATES.filter(({ name }) => only.length === 0 || only.includes(name)),
        scenarios: chosen(scenario, usual.scenarios),
        connections: chosen(connections, usual.connections)
      },
      console.error
    )
    yield* Console.log(`\n${report(compared)}`)
  })
)

runCommand(command)

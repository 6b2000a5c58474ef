/** The command `sojourn check-identity`, which tries issuers and directories before callers depend on them. */
import { allPages, OrganizationStore, parseAuthenticationServerUrl } from "@sojourn/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { Console, Effect } from "effect"
import { StartupError } from "@sojourn/service"
import { checkDirectory, checkIssuer } from "../identity/check.ts"
import { directoryOptions } from "../identity/directories.ts"
import { layerStorage } from "../storage/index.ts"
import { directoryAllow, directoryFlags, policyOf } from "./flags.ts"
import { issuerFlags, issuersOf } from "./identity.ts"
import { choiceOf, hasData, type StorageFlags, storageFlags, storageNamed, storageOf } from "./storage.ts"

/** The authentication servers of all organizations. What is in the memory of a server only that server knows. */
const kept = Effect.fnUntraced(function* (flags: StorageFlags) {
  if (storageNamed(flags) === "memory") return []
  // Issuers and directories are tried before a first start, too: then there are no organizations.
  if (!hasData(flags, yield* choiceOf(flags))) return []
  const { choice, keys } = yield* storageOf(flags)
  const organizations = yield* OrganizationStore.use((store) => allPages(store.list)).pipe(
    Effect.provide(layerStorage(choice, { keys, migrate: true, whenRunning: "share" })),
    Effect.catchTag("StoreError", () => Effect.fail(new StartupError({ message: "the storage gives no answer" })))
  )
  return organizations.flatMap(({ authenticationServer }) => authenticationServer?.text ?? [])
})

const parse = (text: string) =>
  Effect.mapError(
    Effect.fromResult(parseAuthenticationServerUrl(text)),
    ({ reason }) => new StartupError({ message: `${text} is no URL of a directory: ${reason}` })
  )

export const checkIdentity = Command.make(
  "check-identity",
  {
    urls: Argument.String("url").pipe(
      Argument.withDescription("Directories to try; none: those of all organizations"),
      Argument.variadic({ min: 0 })
    ),
    ...storageFlags,
    directoryAllow,
    ...directoryFlags,
    ...issuerFlags
  },
  Effect.fnUntraced(function* ({ urls, ...flags }) {
    const policy = yield* policyOf(flags.directoryAllow)
    const asking = yield* directoryOptions(flags)
    const { own, others } = yield* issuersOf(flags, flags.data)
    const texts = new Set(urls.length > 0 ? urls : yield* kept(flags))
    const servers = yield* Effect.forEach(texts, parse)

    const findings = [
      ...(yield* Effect.forEach(others, checkIssuer)),
      ...(yield* Effect.forEach(servers, (server) => checkDirectory(server, { ...asking, policy })))
    ]
    if (own !== undefined) yield* Console.log(`own issuer: fine, its key is in ${flags.data}`)
    for (const { lines } of findings) for (const line of lines) yield* Console.log(line)
    const broken = findings.filter(({ isFine }) => !isFine).length
    if (broken > 0) return yield* new StartupError({ message: `${broken} of ${findings.length} do not work` })
  })
).pipe(Command.withDescription("Tries the issuers and the organizations' directories, and says what works"))

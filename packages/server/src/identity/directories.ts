/** The LDAP client as the flags configure it, and beside it the demo's directory in memory. */
import type { Options } from "@sojourn/adapter-ldap"
import { OrganizationDirectory } from "@sojourn/core"
import { Effect, Layer, Redacted, Schema } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { io } from "../shared/io.ts"
import { layerDirectory, namingIn, onOneLine, StartupError } from "@sojourn/service"
import { DEMO_SERVER, layerDemoDirectory } from "../demo/people.ts"

const StartTls = Schema.Literals(["required", "offered", "never"])

const naming = {
  startTls: Schema.optionalKey(StartTls),
  nameAttribute: Schema.optionalKey(Schema.String),
  surnameAttribute: Schema.optionalKey(Schema.String)
}

/** What the file of `--directories` holds. Passwords and certificates are in files of their own. */
const File = Schema.Struct({
  ...naming,
  servers: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        ...naming,
        server: Schema.String,
        base: Schema.optionalKey(Schema.String),
        serviceAccount: Schema.optionalKey(Schema.Struct({ dn: Schema.String, passwordFile: Schema.String })),
        bindTemplate: Schema.optionalKey(Schema.String)
      })
    )
  )
})

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(File), { onExcessProperty: "error" })

export const readText = (flag: string, file: string) => io(flag, () => fs.readFile(file, "utf8"))

const serversIn = Effect.fnUntraced(function* (file: string) {
  const read = yield* Effect.mapError(
    Effect.flatMap(readText("--directories", file), decode),
    (error) =>
      new StartupError({
        message: error._tag === "StartupError" ? error.message : `--directories: ${file}: ${onOneLine(error.message)}`
      })
  )
  const servers = yield* Effect.forEach(read.servers ?? [], ({ serviceAccount, ...rest }) =>
    Effect.gen(function* () {
      if (serviceAccount === undefined) return rest
      const { dn, passwordFile } = serviceAccount
      // Beside the file that names it, wherever the server was started.
      const text = yield* readText("--directories", path.resolve(path.dirname(file), passwordFile))
      return { ...rest, serviceAccount: { dn, password: Redacted.make(text.replace(/\r?\n$/, "")) } }
    })
  )
  return { ...read, servers }
})

/** What the flags say of how directories are asked. */
export interface DirectoryFlags {
  /** A JSON file, or nothing. */
  readonly directories: string
  /** Files with certificates of authorities, as PEM. */
  readonly directoryCa: ReadonlyArray<string>
}

/** How directories are asked. */
export const directoryOptions = Effect.fnUntraced(function* ({
  directories,
  directoryCa
}: DirectoryFlags): Effect.fn.Return<Options, StartupError> {
  const certificates = yield* Effect.forEach(directoryCa, (file) => readText("--directory-ca", file))
  return { ...(directories === "" ? {} : yield* serversIn(directories)), certificates }
})

/** The same, and the demo's directory, which is in memory. */
export const layerDirectoryWithDemo = (options: Options) =>
  Layer.effect(
    OrganizationDirectory,
    Effect.gen(function* () {
      const ldap = yield* OrganizationDirectory
      const demo = yield* Effect.provide(OrganizationDirectory, layerDemoDirectory)
      return OrganizationDirectory.of({
        authenticate: (server, credentials) =>
          (server.text === DEMO_SERVER ? demo : ldap).authenticate(server, credentials),
        information: (server, credentials, people) =>
          (server.text === DEMO_SERVER ? demo : ldap).information(server, credentials, people)
      })
    })
  ).pipe(Layer.provide(layerDirectory(options).pipe(namingIn("--directories"))))

/** Programs in Python with the types that quicktype generates from the schemas of an OpenAPI document. */
import { execFile, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { unlessMissing } from "../../../adapter-ldap/test/programs.ts"
import { InputData, JSONSchemaInput, quicktype } from "quicktype-core"

/** The Python that SOJOURN_PYTHON names, or one of the machine. What quicktype generates needs `dateutil`. */
const python = [process.env["SOJOURN_PYTHON"] ?? "python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import dateutil.parser"]).status === 0
)

/** Why programs cannot run, or undefined when they can. */
export const missing = unlessMissing(
  python,
  "no Python with dateutil: install it (Debian: apt-get install python3-dateutil), or name it in SOJOURN_PYTHON"
)

/** A module with a class of each schema of a document, and functions that read them from JSON. */
const modelsOf = async (schemas: object): Promise<string> => {
  // quicktype reads schemas of JSON Schema: their references have another root.
  const definitions = JSON.parse(JSON.stringify(schemas).replaceAll("#/components/schemas/", "#/definitions/"))
  const input = new JSONSchemaInput(undefined)
  for (const name of Object.keys(definitions)) {
    await input.addSource({ name, schema: JSON.stringify({ $ref: `#/definitions/${name}`, definitions }) })
  }
  const inputData = new InputData()
  inputData.addInput(input)
  const { lines } = await quicktype({ inputData, lang: "python" })
  return lines.join("\n")
}

/** Runs a program of this folder beside `models.py`, which is generated, and `openapi.json`. Returns the JSON that it prints. */
export const runPython = async (
  document: { readonly components: { readonly schemas: object } },
  program: string,
  env: Record<string, string>
): Promise<any> => {
  const work = mkdtempSync(join(tmpdir(), "sojourn-python-"))
  try {
    cpSync(fileURLToPath(new URL("python/", import.meta.url)), work, { recursive: true })
    writeFileSync(join(work, "models.py"), await modelsOf(document.components.schemas))
    writeFileSync(join(work, "openapi.json"), JSON.stringify(document))
    const options = { cwd: work, env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env } }
    const { stdout } = await promisify(execFile)(python!, [program], options)
    return JSON.parse(stdout)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

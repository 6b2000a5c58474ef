/** CSV in LibreOffice: columns, texts and times are what was written, and nothing is computed. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import {
  accessCsv,
  type AuthenticatedAccess,
  OrganizationId,
  OrganizationPremises,
  OrgAuthServerId,
  PlaceId,
  PlacePremises,
  Timestamp
} from "@sojourn/core"
import { expect, it } from "vitest"
import { findProgram, unlessMissing } from "../../adapter-ldap/test/programs.ts"

const found = findProgram("soffice", process.env.SOJOURN_SOFFICE)

const missing = unlessMissing(
  found,
  "no soffice: install LibreOffice (Debian: apt-get install libreoffice-calc), or name it in SOJOURN_SOFFICE"
)

const PEOPLE = [
  "ada",
  'Zoë "Q" Müller, Straße; 5',
  "日本",
  "=1+1",
  "+2+2",
  "-3+3",
  "@SUM(1,1)",
  "=cmd|'/c calc'!A1",
  '=HYPERLINK("http://example.org","x")',
  "＝4+4",
  "a;=5+5",
  "uid=ada,ou=people"
]

const organizationId = OrganizationId.make(1n)

const accesses = PEOPLE.map((person, i): AuthenticatedAccess => {
  const entrance = Timestamp(Date.parse("2026-11-28T16:05:09.123Z") + i * 1000)
  return {
    id: BigInt(100 + i) as never,
    orgAuthServerId: OrgAuthServerId.make(person),
    stay: {
      _tag: "ClosedStay",
      id: 1n as never,
      organizationId,
      premises: i % 2 === 0 ? OrganizationPremises(organizationId) : PlacePremises(PlaceId.make(7n)),
      entrance,
      exit: Timestamp(entrance + 8 * 3_600_000)
    }
  }
})

interface Cell {
  readonly type: string | undefined
  readonly value: string | undefined
  readonly text: string
  readonly isFormula: boolean
}

/** What its dialog proposes for a file with a byte order mark: commas, double quotes, UTF-8. Without a dialog it takes another encoding. */
const FILTER = "CSV:44,34,76"

const unescaped = (text: string) =>
  text
    .replace(/<[^>]*>/g, "")
    .trim()
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

/** The cells of the rows of a sheet as OpenDocument has them, in one XML file. */
const cellsOf = (document: string): ReadonlyArray<ReadonlyArray<Cell>> =>
  [...document.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row]) =>
    [...row!.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, attributes, content]) => {
        const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes!)?.[1]
        const cell = {
          type: attribute("office:value-type"),
          value: attribute("office:date-value") ?? attribute("office:value"),
          text: unescaped(content ?? ""),
          isFormula: attributes!.includes("table:formula")
        }
        return Array.from({ length: Math.min(8, Number(attribute("table:number-columns-repeated") ?? 1)) }, () => cell)
      }
    )
  )

it.skipIf(missing !== undefined)(
  "a file of accesses opens with its columns, names and times, and runs no formula",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "sojourn-spreadsheet-"))
    try {
      const { header, line } = accessCsv(OrganizationPremises(organizationId), "Europe/Berlin")
      const file = join(directory, "accesses.csv")
      let text = header
      for (const access of accesses) line(access, (piece) => (text += piece))
      // The last line is not ours: it shows that a formula would be seen.
      writeFileSync(file, `${text}=1+1\r\n`)
      await promisify(execFile)(found!, [
        `--infilter=${FILTER}`,
        `-env:UserInstallation=${pathToFileURL(join(directory, "profile")).href}`,
        "--headless",
        "--convert-to",
        "fods",
        "--outdir",
        directory,
        file
      ])
      const [names, ...rows] = cellsOf(readFileSync(join(directory, "accesses.fods"), "utf8"))
      expect(names!.map(({ text }) => text).slice(0, 8)).toEqual([
        "organizationId",
        "placeId",
        "id",
        "entranceTimestamp",
        "exitTimestamp",
        "orgAuthServerId",
        "entranceLocal",
        "exitLocal"
      ])
      expect(rows.map((cells) => cells.some(({ isFormula }) => isFormula))).toEqual([...PEOPLE.map(() => false), true])
      PEOPLE.forEach((person, i) => {
        const guarded = /^[=+\-@＝]/.test(person) ? `'${person}` : person
        expect(rows[i]![5]).toMatchObject({ type: "string", text: guarded })
        const seconds = String(9 + i).padStart(2, "0")
        expect(rows[i]![6]).toMatchObject({ type: "date", value: `2026-11-28T17:05:${seconds}` })
        expect(rows[i]![7]).toMatchObject({ type: "date", value: `2026-11-29T01:05:${seconds}` })
      })
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
  120_000
)

/** Fields that take an area from GeoJSON: from a file, or from a text that is pasted. */
import { useState } from "preact/hooks"
import type { Polygons } from "../shared/area.ts"
import { useOpened } from "../shared/context.ts"
import { readGeoJson } from "./geoJson.ts"

interface GeoJsonImportProps {
  readonly onArea: (polygons: Polygons) => void
}

export const GeoJsonImport = ({ onArea }: GeoJsonImportProps) => {
  const { words } = useOpened()
  const [outcome, setOutcome] = useState("")
  const take = (text: string) => {
    const polygons = readGeoJson(text)
    setOutcome(polygons === undefined ? words.geoJsonWrong : words.geoJsonTaken)
    if (polygons !== undefined) onArea(polygons)
  }
  return (
    <fieldset class="import">
      <legend>{words.geoJson}</legend>
      <label>
        {words.geoJsonFile}
        <input
          type="file"
          accept=".geojson,.json,application/geo+json,application/json"
          // The same file, once it is mended, is read again.
          onClick={({ currentTarget }) => (currentTarget.value = "")}
          onChange={({ currentTarget }) => void currentTarget.files?.[0]?.text().then(take)}
        />
      </label>
      <label>
        {words.geoJsonText}
        <textarea
          rows={2}
          spellcheck={false}
          onChange={({ currentTarget: { value } }) => value.trim() !== "" && take(value)}
        />
      </label>
      <p role="status">{outcome}</p>
    </fieldset>
  )
}

/** Fields that take an area from GeoJSON: from a file, or from a text that is pasted. */
import { useState } from "preact/hooks"
import type { Polygons } from "../shared/area.ts"
import { useOpened } from "../shared/context.ts"
import { FileField, GEO_JSON_TYPES } from "./fields.tsx"
import { readGeoJson } from "./geoJson.ts"

export const GeoJsonImport = ({ onArea }: { readonly onArea: (polygons: Polygons) => void }) => {
  const { words } = useOpened()
  const [outcome, setOutcome] = useState("")
  const take = (text: string) => {
    const polygons = readGeoJson(text)
    setOutcome(polygons === undefined ? words.geoJsonWrong : words.geoJsonTaken)
    if (polygons !== undefined) onArea(polygons)
  }
  return (
    <fieldset>
      <legend>{words.geoJson}</legend>
      <FileField label={words.geoJsonFile} accept={GEO_JSON_TYPES} onFile={(file) => void file.text().then(take)} />
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

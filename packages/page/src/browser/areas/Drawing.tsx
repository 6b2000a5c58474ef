/** The drawing of an area: by pointers, by the keyboard, and by numbers. What it does to the shape is in `drawing.ts`. */
import { toPath } from "../shared/area.ts"
import { useOpened } from "../shared/context.ts"
import { useWidth } from "../shared/useWidth.ts"
import { Attribution, BaseMap } from "./BaseMap.tsx"
import { CornerFields } from "./CornerFields.tsx"
import { addRectangle, middleAfter, stepCorner, withoutEmptyRings } from "./drawing.ts"
import { CornerCount, DrawingTools } from "./DrawingBars.tsx"
import { historyKeys, mapKeys } from "./drawingKeys.ts"
import { Around, Corners, Cross, Edges, Faults, Lengths, useCornerTitle } from "./DrawingLayers.tsx"
import { type DrawingProps, useDrawing } from "./useDrawing.ts"
import { useDrawingPointer } from "./useDrawingPointer.ts"

export const Drawing = (props: DrawingProps) => {
  const { name, drawn, active, onActivate, around, plan, faults, marks = [], notice } = props
  const { shape } = drawn
  const { words } = useOpened()
  const [box, width] = useWidth()
  const drawing = useDrawing(props, box, width)
  const pointer = useDrawingPointer(props, drawing)
  const title = useCornerTitle(shape)
  const { size, view, project, tool, anchor, activePosition, move, snapped, add, beside } = drawing
  const isEmpty = shape.flat(2).length === 0
  const isSpanning = tool === "rectangle" && anchor !== undefined
  const preview = isSpanning ? addRectangle([], anchor, drawing.crossAt) : undefined
  return (
    <div onKeyDown={historyKeys(drawing)}>
      <div ref={box} class="map canvas">
        <DrawingTools props={props} drawing={drawing} />
        {width > 0 && (
          <svg
            ref={drawing.map}
            width={size[0]}
            height={size[1]}
            role="group"
            aria-label={words.drawing(name)}
            class={`drawing ${view.zoom > 1 ? "zoomed" : ""} ${tool === "none" ? "none" : `adding ${tool}`}`}
            {...pointer}
            onKeyDown={mapKeys(props, drawing)}
          >
            <BaseMap project={project} width={size[0]} height={size[1]} />
            <Around drawing={drawing} around={around} plan={plan} />
            {!isEmpty && (
              <path
                class={`drawn ${props.isOrganization ? "" : "movable"}`}
                d={toPath(withoutEmptyRings(shape), project)}
                fill-rule="evenodd"
                data-all=""
                role="button"
                tabindex={0}
                aria-label={words.wholeArea(name)}
              />
            )}
            <Faults drawing={drawing} faults={[...faults, ...marks]} />
            <Edges drawing={drawing} shape={shape} />
            <Lengths drawing={drawing} shape={shape} />
            <Corners drawing={drawing} shape={shape} active={active} onActivate={onActivate} />
            {preview !== undefined && (
              <>
                <path class="drawn" aria-hidden="true" d={toPath(preview, project)} />
                <Lengths drawing={drawing} shape={preview} />
              </>
            )}
            {tool !== "none" && <Cross drawing={drawing} />}
          </svg>
        )}
        <Attribution />
        {notice}
      </div>
      <p>{tool === "rectangle" ? words.rectangleHint : tool === "corners" ? words.addHint : words.drawHint}</p>
      <CornerFields
        title={active === undefined || active[2] < 0 ? undefined : title(active)}
        position={activePosition}
        onMove={(position) => active !== undefined && move(active, position)}
        onSnap={(position) => active !== undefined && move(active, snapped(position, Infinity))}
        onStep={(by) => onActivate(stepCorner(shape, by, active))}
        onInsert={() => add((active === undefined ? undefined : middleAfter(shape, active)) ?? beside())}
        onRemove={() => active !== undefined && drawing.remove(active)}
      />
      <CornerCount drawn={drawn} />
    </div>
  )
}

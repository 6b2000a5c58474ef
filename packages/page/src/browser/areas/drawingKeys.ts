/** What keys do in a drawing: they move the area, edges and corners, remove and step through corners, add them at the cross, undo and redo. */
import type { TargetedKeyboardEvent } from "preact"
import { type CornerAt, cornerOf, redo, stepCorner, undo } from "./drawing.ts"
import { ARROWS } from "./nearest.ts"
import type { DrawingProps, DrawingState } from "./useDrawing.ts"

export const mapKeys =
  ({ drawn: { shape }, active, onActivate }: DrawingProps, drawing: DrawingState) =>
  (event: TargetedKeyboardEvent<SVGSVGElement>) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event
    const { activePosition: position, crossAt, focusActive } = drawing
    if (ctrlKey || metaKey) return
    const { classList, dataset } = event.target as SVGElement
    const isCross = classList.contains("cross")
    const [edge, isAll] = [dataset["edge"] !== undefined, dataset["all"] !== undefined]
    const arrow = ARROWS[key]
    const handled = () => {
      event.preventDefault()
      focusActive.current = !isCross
    }
    if (isCross) {
      if (arrow !== undefined) {
        handled()
        drawing.setCross(drawing.moved(crossAt, arrow, shiftKey))
      } else if (key === "Enter" || key === " ") {
        handled()
        if (drawing.tool === "rectangle") drawing.placeRectangle(crossAt)
        else drawing.add(crossAt)
      } else if (key === "Escape") drawing.setAnchor(undefined)
      return
    }
    if (arrow !== undefined && (edge || isAll)) {
      event.preventDefault()
      const at = dataset["edge"]?.split(" ").map(Number) as unknown as CornerAt | undefined
      const from = cornerOf(shape, at ?? [0, 0, 0])!
      const to = drawing.moved(from, arrow, shiftKey)
      // What is moved stays in the view.
      if (!drawing.isShown(drawing.project(to), 0)) drawing.setView({ ...drawing.view, center: to })
      return drawing.shift(shape, at, [to[0] - from[0], to[1] - from[1]], `keys ${dataset["edge"]}`)
    }
    if (active === undefined || position === undefined || isAll) return
    if (edge) {
      if (!["Escape", "e"].includes(key)) return
      event.preventDefault()
      drawing.focusCorner()
    } else if (key === "e") {
      event.preventDefault()
      drawing.focusEdge(active)
    } else if (arrow !== undefined) {
      handled()
      drawing.drag(shape, active, drawing.moved(position, arrow, shiftKey), `keys ${active.join(" ")}`, altKey)
    } else if (key === "Delete" || key === "Backspace") {
      handled()
      drawing.remove(active)
    } else if (key === "PageDown" || key === "PageUp") {
      handled()
      onActivate(stepCorner(shape, key === "PageDown" ? 1 : -1, active))
    }
  }

/** Undo and redo, outside of fields that have their own. */
export const historyKeys =
  ({ travel }: DrawingState) =>
  (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return
    const isRedo = event.key === "y" || (event.shiftKey && event.key.toLowerCase() === "z")
    if (!isRedo && event.key !== "z") return
    event.preventDefault()
    travel(isRedo ? redo : undo)
  }

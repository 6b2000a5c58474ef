/** Which tiles of a base map a drawing shows, and where. */
import { assert, describe, it } from "vitest"
import { fit, type Polygons } from "../src/browser/shared/area.ts"
import { tilesOf } from "../src/browser/areas/tiles.ts"
import { rectangle } from "./areas.ts"

const TEMPLATE = "https://tiles.example/{z}/{x}/{y}.png"

const tilesFor = (area: Polygons, width: number) => {
  const { height, project } = fit([area], width, width)
  return { height, project, tiles: tilesOf(TEMPLATE, project, width, height) }
}

describe("the tiles of a base map", () => {
  it.each([
    ["a campus", rectangle(11.87, 45.4, 11.88, 45.407)],
    ["in the south and the west", rectangle(-70.7, -33.5, -70.6, -33.4)],
    ["far in the north", rectangle(15, 78.2, 15.4, 78.3)],
    ["across the antimeridian", rectangle(179.9, -17, 180.2, -16.8)],
    ["a region", rectangle(8, 44, 13, 47)]
  ])("fill the drawing, without gaps, and are about as large as they were made: %s", (_, area) => {
    const { height, tiles } = tilesFor(area, 800)
    assert.isAtMost(tiles.length, 40)
    assert.isAtMost(Math.min(...tiles.map(({ x }) => x)), 0)
    assert.isAtMost(Math.min(...tiles.map(({ y }) => y)), 0)
    assert.isAtLeast(Math.max(...tiles.map(({ x, width }) => x + width)), 800)
    assert.isAtLeast(Math.max(...tiles.map(({ y, height }) => y + height)), height)
    for (const { width } of tiles) assert.isTrue(width >= 255.9 && width < 512.1, String(width))
    const drawn = tiles.reduce((sum, { width, height }) => sum + width * height, 0)
    const [first, last] = [tiles[0]!, tiles.at(-1)!]
    const whole = (last.x + last.width - first.x) * (last.y + last.height - first.y)
    assert.closeTo(drawn / whole, 1, 1e-6)
  })

  it("lie where the world is: Null Island is where four tiles meet, and Padua in the tile that map servers call so", () => {
    const { project, tiles } = tilesFor(rectangle(-1, -1, 1, 1), 600)
    const [x, y] = project([0, 0])
    const isNear = (a: number, b: number) => Math.abs(a - b) < 1e-6
    assert.isTrue(tiles.some((tile) => isNear(tile.x, x) && isNear(tile.y, y)))
    const padua = tilesFor(rectangle(11.8767, 45.4063, 11.8769, 45.4065), 300)
    const [px, py] = padua.project([11.8768, 45.4064])
    const at = padua.tiles.find((t) => px >= t.x && px < t.x + t.width && py >= t.y && py < t.y + t.height)!
    const [z, column, row] = at.url.match(/\d+/g)!.map(Number)
    const across = 2 ** z!
    assert.strictEqual(column, Math.floor(((11.8768 + 180) / 360) * across))
    const phi = (45.4064 * Math.PI) / 180
    assert.strictEqual(row, Math.floor(((1 - Math.log(Math.tan(phi) + 1 / Math.cos(phi)) / Math.PI) / 2) * across))
  })

  it("are none of a drawing of nothing", () => {
    assert.deepStrictEqual(
      tilesOf(TEMPLATE, () => [0, 0], 100, 100),
      []
    )
  })
})

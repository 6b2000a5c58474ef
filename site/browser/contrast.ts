/** How much a text stands out. */
import type { Page } from "playwright-core"

type Color = readonly [red: number, green: number, blue: number, alpha: number]

const colorOf = (css: string): Color => {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number)
  return [red, green, blue, alpha]
}

const over = ([red, green, blue, alpha]: Color, [r, g, b]: Color): Color => [
  red * alpha + r * (1 - alpha),
  green * alpha + g * (1 - alpha),
  blue * alpha + b * (1 - alpha),
  1
]

/** WCAG 2.2, relative luminance. */
const luminance = ([red, green, blue]: Color): number => {
  const linear = (channel: number) =>
    channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** WCAG 2.2, contrast ratio: 1 is invisible, 21 is black on white. */
export const ratio = (one: Color, other: Color): number => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

/** Text and all backgrounds below it, the nearest first. */
const COLORS = `(element) => {
  const backgrounds = []
  for (let one = element; one !== null; one = one.parentElement) backgrounds.push(getComputedStyle(one).backgroundColor)
  return [getComputedStyle(element).color, ...backgrounds]
}`

/** The contrast of the first text that a selector finds, with what it stands on. */
export const contrast = async (page: Page, selector: string): Promise<number> => {
  const [text, ...backgrounds] = (
    await page.evaluate<ReadonlyArray<string>>(`(${COLORS})(document.querySelector(${JSON.stringify(selector)}))`)
  ).map(colorOf)
  const ground = backgrounds.reduceRight((below, above) => over(above, below), [255, 255, 255, 1] as Color)
  return ratio(over(text!, ground), ground)
}

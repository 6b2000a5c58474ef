/** The styles of parts that are loaded when they are opened. */
import { useLayoutEffect } from "preact/hooks"

/** Applies a style sheet. Returns what takes it away. */
export const applyStyle = (text: string): (() => void) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
}

/** Applies a style sheet for as long as the component is there. */
export const useStyle = (text: string): void => useLayoutEffect(() => applyStyle(text), [text])

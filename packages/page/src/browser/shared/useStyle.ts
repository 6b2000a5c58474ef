/** The style of a part that is loaded when it is opened. */
import { useLayoutEffect } from "preact/hooks"

/** Applies a style sheet for as long as the component is there. */
export const useStyle = (text: string): void =>
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [text])

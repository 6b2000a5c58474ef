/** The module that the document loads first. */
import { render } from "preact"
import { App } from "./App.tsx"
import { loadLanguage } from "./shared/useLanguage.tsx"
import "./styles/style.css"

render(<App language={await loadLanguage()} />, document.querySelector("#page")!)

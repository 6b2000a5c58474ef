/** The module that the document loads first. */
import { render } from "preact"
import { App } from "./App.tsx"
import "./style.css"

render(<App />, document.querySelector("#page")!)

// Without the fonts that the default theme brings: the system's are there already.
import DefaultTheme from "vitepress/theme-without-fonts"
import "./style.css"

export default DefaultTheme

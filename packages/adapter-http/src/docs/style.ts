/** The style of the page of the interface. */
export const style = `
:root { color-scheme: light dark; font: 16px/1.45 system-ui, sans-serif; --line: light-dark(#b9c6ca, #41525a);
  --accent: light-dark(#0b5c6b, #6fd3e3); --panel: light-dark(#f6f8f8, #182327);
  color: light-dark(#15222a, #e6eef0); background: light-dark(#ffffff, #10181b) }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 70rem; padding: 0 1rem 3rem; overflow-wrap: anywhere }
a { color: var(--accent) }
summary { cursor: pointer; padding: .4rem 0 }
summary b { display: inline-block; min-width: 4.5rem; color: var(--accent) }
details { border-top: 1px solid var(--line) }
details[open] { padding-bottom: 1rem }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: .2rem; margin: .5rem 0 }
input, select, textarea, button { font: inherit; padding: .3rem .5rem; max-width: 100%; border: 1px solid var(--accent);
  border-radius: .3rem; color: inherit; background: var(--panel) }
textarea, pre, code { font-family: ui-monospace, monospace; font-size: .9rem }
textarea { width: 100% }
button { cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
form, pre { padding: .5rem .8rem; margin: .5rem 0; background: var(--panel); border: 1px solid var(--line); border-radius: .3rem }
pre { white-space: pre-wrap }
.answer pre { max-height: 24rem; overflow: auto }
pre:empty { display: none }
table { width: 100%; border-collapse: collapse; margin: .8rem 0 }
caption { text-align: start; font-weight: 600 }
th, td { text-align: start; vertical-align: top; padding: .25rem .6rem .25rem 0; border-top: 1px solid var(--line) }
ul { margin: .2rem 0; padding-left: 1.2rem }
`

/** Says on stderr how far a command is: by a bar on a terminal, and by a line for each tenth elsewhere. */

/** Where it is written. */
interface Terminal {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly write: (text: string) => unknown
}

const BAR = 30

export class Progress {
  private readonly terminal: Terminal
  private readonly total: number
  private shown = 0

  constructor(total: number, terminal: Terminal = process.stderr) {
    this.total = Math.max(1, total)
    this.terminal = terminal
  }

  /** Shows that so much of the total is done, with a few words. */
  show(done: number, words: string): void {
    const part = Math.min(1, done / this.total)
    const percent = `${Math.floor(100 * part)} %`.padStart(5)
    if (this.terminal.isTTY === true) {
      const full = Math.floor(BAR * part)
      const line = `[${"#".repeat(full)}${"-".repeat(BAR - full)}] ${percent}  ${words}`
      this.terminal.write(`\r\u001b[K${line.slice(0, (this.terminal.columns ?? 80) - 1)}`)
      this.shown = part
      return
    }
    if (Math.floor(10 * part) <= Math.floor(10 * this.shown)) return
    this.shown = part
    this.terminal.write(`${percent.trim()}: ${words}\n`)
  }

  /** Clears the bar, before other lines. */
  clear(): void {
    if (this.terminal.isTTY === true) this.terminal.write("\r\u001b[K")
  }
}

// Programs that compile these sources without the types of browsers get them here.
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The script of the page of the interface. The page contains the text of this function, which therefore uses nothing of its module,
 * and the browser's API alone.
 */
export const tryOperations = (): void => {
  /** How much of an answer is shown, in characters. */
  const MAX_SHOWN = 100_000
  const token = document.querySelector<HTMLInputElement>("#token")!
  const search = document.querySelector<HTMLInputElement>("#search")!
  const operations = document.querySelectorAll<HTMLDetailsElement>("details.operation")
  const running = new WeakMap<HTMLFormElement, AbortController>()

  const show = () => {
    const found = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!(found instanceof HTMLDetailsElement)) return
    found.open = true
    found.scrollIntoView()
  }
  addEventListener("hashchange", show)
  show()

  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/)
    for (const operation of operations) {
      const text = operation.querySelector("summary")!.textContent.toLowerCase()
      operation.hidden = !words.every((word) => text.includes(word))
    }
  })

  const requestOf = (form: HTMLFormElement): { url: string; options: RequestInit } => {
    const { method, path, accept } = form.dataset as { method: string; path: string; accept: string }
    const query = new URLSearchParams()
    const headers = new Headers({ accept })
    let filled = path
    let body: string | File | undefined
    if (token.value.trim() !== "") headers.set("authorization", `Bearer ${token.value.trim()}`)
    for (const [name, value] of new FormData(form)) {
      if (value instanceof File) {
        headers.set("content-type", value.type)
        body = value
        continue
      }
      const [where, parameter = ""] = name.split(/:(.*)/s)
      // A comma separates the values of a list.
      if (where === "path") filled = filled.replace(`{${parameter}}`, encodeURIComponent(value).replaceAll("%2C", ","))
      else if (value === "") continue
      else if (where === "query") query.set(parameter, value)
      else if (where === "header") headers.set(parameter, value)
      else if (where === "accept") headers.set("accept", `${value}, application/problem+json`)
      else {
        headers.set("content-type", parameter)
        body = value
      }
    }
    const queryText = query.toString()
    return {
      url: queryText === "" ? filled : `${filled}?${queryText}`,
      options: { method, headers, cache: "no-store", ...(body !== undefined && { body }) }
    }
  }

  const prettyOf = (text: string): string => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2)
    } catch {
      return text
    }
  }

  const send = async (form: HTMLFormElement) => {
    const answer = form.querySelector<HTMLElement>(".answer")!
    const [status, head, body] = answer.querySelectorAll<HTMLElement>("[role=status], pre")
    running.get(form)?.abort()
    const abort = new AbortController()
    running.set(form, abort)
    answer.hidden = false
    status!.textContent = "Waiting for the answer ..."
    head!.textContent = body!.textContent = ""
    try {
      const { url, options } = requestOf(form)
      const response = await fetch(url, { ...options, signal: abort.signal })
      status!.textContent = `${response.status} ${response.statusText}`
      head!.textContent = Array.from(response.headers, ([name, value]) => `${name}: ${value}`).join("\n")
      if (response.headers.get("content-type")?.startsWith("image/")) {
        body!.textContent = `An image of ${(await response.arrayBuffer()).byteLength} bytes.`
        return
      }
      let text = ""
      const decoder = new TextDecoder()
      const reader = response.body?.getReader()
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) break
        text += decoder.decode(value, { stream: true })
        body!.textContent = text.slice(0, MAX_SHOWN)
        if (text.length > MAX_SHOWN) abort.abort("only the beginning is shown")
      }
      body!.textContent = prettyOf(text)
    } catch (failure) {
      const { aborted, reason } = abort.signal
      if (running.get(form) === abort) status!.textContent += ` (${String(aborted ? reason : failure)})`
    }
  }

  for (const form of document.querySelectorAll<HTMLFormElement>("form.try")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      void send(form)
    })
    form.querySelector("button.stop")!.addEventListener("click", () => running.get(form)?.abort("stopped"))
  }
}

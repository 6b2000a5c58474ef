/** Images of 3 x 2 pixels, as a browser writes them. */
const decode = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64"))

export const IMAGES = {
  "image/png": decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAADklEQVR4AWJiQAIoHAAAAAD//8PeGNkAAAAGSURBVAMAAGgABYDMBXkAAAAASUVORK5CYII="
  ),
  "image/jpeg": decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AIgAf//Z"
  ),
  "image/webp": decode(
    "UklGRkYAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAAAAAAAAAAFZQOCAYAAAAMAEAnQEqAwACAAdAliWkAANwAP7vuQAA"
  )
} as const

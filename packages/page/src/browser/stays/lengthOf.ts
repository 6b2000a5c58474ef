const two = (n: number): string => String(n).padStart(2, "0")

/** A length of time as hours, minutes and seconds: `26:03:09`. */
export const lengthOf = (seconds: number): string => {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

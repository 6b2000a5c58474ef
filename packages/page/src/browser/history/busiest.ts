/** How busy the hours of a week are, pure. */
import { localOf } from "../shared/localTime.ts"
import { averageOf, type Sample } from "./chart.ts"

/** The average of each hour of each weekday, 0 for Sunday, by the clock of a time zone; undefined where none is known. */
export const busiestHours = (
  samples: ReadonlyArray<Sample>,
  zone: string
): ReadonlyArray<ReadonlyArray<number | undefined>> => {
  const hours = Map.groupBy(samples, ({ at }) => {
    const local = localOf(at, zone)
    return new Date(local.slice(0, 10)).getUTCDay() * 24 + Number(local.slice(11, 13))
  })
  return Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => {
      const found = hours.get(day * 24 + hour)
      return found && averageOf(found)
    })
  )
}

/** Selects the statement for movements. */
import { Option } from "effect"
import { arrays, values } from "../database/columns.ts"
import { ENTER_ANONYMOUS, EXIT_ANONYMOUS, MOVE_ANONYMOUS } from "./anonymous.sql.ts"
import { closingParameters, identifiedClosingParameters, type LocatedClosing } from "./closings.ts"
import { ENTER_IDENTIFIED, EXIT_IDENTIFIED, MOVE_IDENTIFIED } from "./identified.sql.ts"
import {
  identifiedOpeningParameters,
  type LocatedOpening,
  openingParameters,
  repeatableOpeningParameters
} from "./openings.ts"

/** A statement, and the values of its parameters. */
export type PreparedStatement = readonly [text: string, parameters: ReadonlyArray<unknown>]

const identified = (
  openings: ReadonlyArray<LocatedOpening>,
  closings: ReadonlyArray<LocatedClosing>
): PreparedStatement => {
  if (closings.length === 0 && openings.length === 1) {
    return [ENTER_IDENTIFIED, identifiedOpeningParameters(openings, values)]
  }
  if (openings.length === 0 && closings.length === 1) {
    return [EXIT_IDENTIFIED, identifiedClosingParameters(closings, values)]
  }
  return [
    MOVE_IDENTIFIED,
    [...identifiedOpeningParameters(openings, arrays), ...identifiedClosingParameters(closings, arrays)]
  ]
}

const anonymous = (
  openings: ReadonlyArray<LocatedOpening>,
  closings: ReadonlyArray<LocatedClosing>
): PreparedStatement => {
  if (closings.length === 0 && openings.length === 1 && Option.isNone(openings[0]!.opening.retryKey)) {
    return [ENTER_ANONYMOUS, openingParameters(openings, values)]
  }
  if (openings.length === 0 && closings.length === 1) return [EXIT_ANONYMOUS, closingParameters(closings, values)]
  return [MOVE_ANONYMOUS, [...repeatableOpeningParameters(openings, arrays), ...closingParameters(closings, arrays)]]
}

/** The statement for entrances and exits; `areAnonymous` if no person has to be looked up for any of them. */
export const movementStatement = (
  openings: ReadonlyArray<LocatedOpening>,
  closings: ReadonlyArray<LocatedClosing>,
  areAnonymous: boolean
): PreparedStatement => (areAnonymous ? anonymous : identified)(openings, closings)

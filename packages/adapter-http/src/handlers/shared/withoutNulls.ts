/** The fields of a request without those that are `null`, which counts as left out. */
export const withoutNulls = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    readonly [Name in keyof Fields]: Exclude<Fields[Name], null>
  }

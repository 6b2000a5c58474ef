declare module "vitest" {
  interface ProvidedContext {
    /** The directory of the PostgreSQL of this run. */
    postgresDirectory: string
  }
}

/** The database that others are made from. */
export const TEMPLATE = "sojourn_template"

/** What the setup of PostgreSQL (`postgres.setup.ts`) provides to the tests. */
declare module "vitest" {
  interface ProvidedContext {
    /** The directory of this run's PostgreSQL. */
    postgresDirectory: string
  }
}

/** The template database. */
export const TEMPLATE = "sojourn_template"

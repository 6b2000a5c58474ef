/** The endpoints for the health of the server. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Refusals } from "./refusals.ts"

const Health = Schema.Struct({ status: Schema.Literal("up"), version: Schema.String }).annotate({
  identifier: "Health"
})

/** Whether the server lives, and whether it is ready to answer (spec: server#health): an extension of the interface. */
export class HealthGroup extends HttpApiGroup.make("health")
  .annotate(OpenApi.Description, "Whether the server lives, and whether it can do its work.")
  .add(
    HttpApiEndpoint.get("live", "/health/live", { success: Health })
      .annotate(OpenApi.Summary, "Does the server live?")
      .annotate(OpenApi.Description, "Without authentication: 200 as long as the process answers."),
    HttpApiEndpoint.get("ready", "/health/ready", { success: Health, error: Refusals.serviceUnavailable })
      .annotate(OpenApi.Summary, "Is the server ready?")
      .annotate(
        OpenApi.Description,
        "Without authentication: 503 while the database is away, and when the server ends."
      )
  )
  .annotate(OpenApi.Title, "health (extension)") {}

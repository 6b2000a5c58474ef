/** A Fastify plugin that serves the HTTP interface of a service. */
import type { FastifyPluginCallback } from "fastify"
import type { Sojourn } from "./sojourn/createSojourn.ts"

/**
 * Serves the HTTP interface below the prefix that the plugin is registered with, and closes the service when Fastify closes:
 * `app.register(fastifySojourn(sojourn), { prefix: "/presence" })`. The interface reads bodies itself: Fastify leaves them alone there.
 */
export const fastifySojourn =
  ({ listener, close }: Pick<Sojourn, "listener" | "close">): FastifyPluginCallback =>
  (app, _options, done) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser("*", (_request, _body, parsed) => parsed(null))
    app.all("/*", (request, reply) => {
      reply.hijack()
      request.raw.url = request.url.slice(app.prefix.length)
      listener(request.raw, reply.raw)
    })
    // Fastify waits for open responses, which presence streams are until the service ends them.
    app.addHook("preClose", close)
    done()
  }

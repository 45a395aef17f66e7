import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../platform/app.ts"
import type { Actor } from "../platform/calls/actor.ts"
import type { RequestContext } from "../platform/calls/commands.ts"
import { canSeeChange, isAboutOwnUser, type LiveChange } from "../platform/work/live.ts"

const heartbeatMs = 25_000
/** Unread bytes at which the stream ends; the browser then reconnects. */
const maxUnreadBytes = 256 * 1024

/**
 * Server-sent events: `change` (kind and id) for records visible to the actor, `resync` when events may be missing,
 * `heartbeat` to detect lost connections.
 *
 * The actor is looked up again when their account changes and at every heartbeat, so the stream ends with the session.
 */
export function streamEvents(
  app: App,
  first: Actor,
  request: FastifyRequest,
  reply: FastifyReply,
  again: () => Promise<RequestContext>,
): FastifyReply {
  let actor = first
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
  })
  raw.write("retry: 1000\n\n")

  const send = (text: string): void => {
    raw.write(text)
    if (raw.writableLength <= maxUnreadBytes) return
    end()
    raw.destroy()
  }
  const lookAgain = (): void => {
    again().then(
      (context) => {
        if (!context.actor) end()
        else actor = context.actor
      },
      () => {},
    )
  }
  const onChange = (change: LiveChange): void => {
    if (isAboutOwnUser(actor, change)) lookAgain()
    if (canSeeChange(actor, change))
      send(`event: change\ndata: ${JSON.stringify({ kind: change.kind, id: change.id })}\n\n`)
  }
  const onResync = (): void => send("event: resync\ndata: {}\n\n")
  const end = (): void => {
    clearInterval(heartbeat)
    app.news.off("change", onChange)
    app.news.off("resync", onResync)
    app.news.off("close", end)
    raw.end()
  }
  const heartbeat = setInterval(() => {
    send("event: heartbeat\ndata: {}\n\n")
    lookAgain()
  }, heartbeatMs)
  app.news.on("change", onChange)
  app.news.on("resync", onResync)
  app.news.once("close", end)
  request.raw.once("close", end)
  return reply
}

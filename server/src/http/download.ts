import type { Readable } from "node:stream"
import {
  answerFileRequest,
  type FileRouteOptions,
  type HttpRoute,
  type RouteCx,
  refuseUnstorable,
} from "./file-route.ts"

export type DownloadContent = { name: string; mime: string } & (
  | { fileId: string }
  | { bytes: Buffer }
  | { stream: Readable }
)

/** Sends the file as an attachment, so that no browser executes it. */
export function download(
  options: FileRouteOptions,
  handler: (cx: RouteCx & { query: Record<string, string | undefined> }) => Promise<DownloadContent>,
): HttpRoute {
  return {
    method: "GET",
    path: options.path,
    permission: options.permission,
    summary: options.summary,
    ...(options.words && { words: options.words }),
    register(http, contextOf) {
      http.get(options.path, async (request, reply) =>
        answerFileRequest(request, reply, contextOf, options, async (cx) => {
          const query = request.query as Record<string, string | undefined>
          refuseUnstorable(query)
          const content = await handler({ ...cx, query })
          const body =
            "bytes" in content
              ? content.bytes
              : "stream" in content
                ? content.stream
                : await (await cx.transaction(({ tx }) => cx.app.files.read(tx, content.fileId))).open()
          reply
            .header("content-type", content.mime)
            .header("content-disposition", disposition(content.name))
            .header("content-security-policy", "sandbox; default-src 'none'")
            .header("x-content-type-options", "nosniff")
            .header("cache-control", "private, no-store")
          return reply.send(body)
        }),
      )
    },
  }
}

function disposition(name: string): string {
  const plain =
    name
      .normalize("NFKD")
      .replace(/[^\x20-\x7e]/g, "")
      .replace(/["\\]/g, "'") || "file"
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`
}

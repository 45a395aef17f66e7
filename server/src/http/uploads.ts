import type { Readable } from "node:stream"
import type { Multipart } from "@fastify/multipart"
import { commonErrors } from "@milkwood/domain/kernel/procedure"
import type { Permission } from "@milkwood/domain/users/permission"
import type { ErrorMap } from "@orpc/contract"
import { ORPCError } from "@orpc/server"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { fileTypeFromFile } from "file-type"
import type { Actor } from "../platform/calls/actor.ts"
import {
  answerable,
  type Cx,
  checkPermission,
  invalid,
  type RequestContext,
  refused,
} from "../platform/calls/commands.ts"
import { Database } from "../platform/database/database.ts"
import { unstorable } from "../platform/database/storable.ts"
import { FileTooLarge, type ReceivedFile } from "../platform/files/files.ts"
import { isWhole } from "../platform/files/whole-file.ts"

/** A kind of file that an upload takes: its ending, its media type, and whether its first bytes give it away. */
export interface FileKind {
  extension: string
  mime: string
  /** The type that the first bytes must show; `null` where a format has none (CSV): then they must look like text. */
  magic: string[] | null
}

export const fileKinds = {
  pdf: { extension: "pdf", mime: "application/pdf", magic: ["pdf"] },
  png: { extension: "png", mime: "image/png", magic: ["png"] },
  jpg: { extension: "jpg", mime: "image/jpeg", magic: ["jpg"] },
  jpeg: { extension: "jpeg", mime: "image/jpeg", magic: ["jpg"] },
  docx: {
    extension: "docx",
    mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    magic: ["docx", "zip"],
  },
  xlsx: {
    extension: "xlsx",
    mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    magic: ["xlsx", "zip"],
  },
  xls: { extension: "xls", mime: "application/vnd.ms-excel", magic: ["cfb"] },
  csv: { extension: "csv", mime: "text/csv", magic: null },
} satisfies Record<string, FileKind>

export interface UploadedFile {
  /** The name that the sender gave, without folders and control characters: for people, never for storage. */
  name: string
  mime: string
  extension: string
  content: ReceivedFile
}

/** A context for a route; the work is done in `transaction`, so that receiving a slow upload holds no connection. */
export interface RouteCx {
  app: RequestContext["app"]
  actor: Actor
  requestId: string
  params: Record<string, string>
  /** Set when whoever asked has gone. */
  signal: AbortSignal
  transaction<T>(work: (cx: Cx) => Promise<T>, signal?: AbortSignal): Promise<T>
}

export interface HttpRoute {
  method: "GET" | "POST"
  path: string
  permission: Permission
  summary: string
  register(http: FastifyInstance, contextOf: (request: FastifyRequest) => Promise<RequestContext>): void
}

interface RouteOptions {
  path: string
  permission: Permission
  summary: string
  /** Named refusals of this route, besides the common ones. */
  errors?: ErrorMap
}

interface UploadOptions extends RouteOptions {
  accept: FileKind[]
  /** Bytes, known before the file is read. */
  limit: (cx: RouteCx) => Promise<number>
}

/**
 * A route that takes one file with text fields before it (multipart). The file is streamed to the disk, cut at the
 * limit, and its ending, first bytes and kind must agree before `handler` sees it. What the handler does not save is
 * thrown away.
 */
export function upload(
  options: UploadOptions,
  handler: (cx: RouteCx & { fields: Record<string, string>; file: UploadedFile }) => Promise<unknown>,
): HttpRoute {
  return {
    method: "POST",
    path: options.path,
    permission: options.permission,
    summary: options.summary,
    register(http, contextOf) {
      http.post(options.path, async (request, reply) =>
        answer(request, reply, contextOf, options, async (cx) => {
          if (!request.isMultipart())
            throw invalid([{ path: "file", message: "Send the file as multipart/form-data." }])
          const limit = await options.limit(cx)
          let file: UploadedFile | undefined
          const fields: Record<string, string> = {}
          try {
            for await (const part of partsOf(request, limit + 1)) {
              if (part.type === "field") fields[part.fieldname] = String(part.value)
              else file = await take(cx, part.filename, part.file, limit, options.accept)
            }
            if (!file) throw invalid([{ path: "file", message: "Choose a file." }])
            refuseUnstorable(fields)
            return await handler({ ...cx, fields, file })
          } catch (error) {
            throw tooLarge(error)
              ? invalid([{ path: "file", message: `The file is larger than ${Math.floor(limit / 1024 / 1024)} MB.` }])
              : error
          } finally {
            if (file) await cx.app.files.discard(file.content)
          }
        }),
      )
    },
  }
}

const unreadable = () =>
  invalid([{ path: "file", message: "The upload was cut short or is no form with one file. Please send it again." }])

/** The parts of a form. One that cannot be read is the sender's mistake, or the network's, and no failure of ours. */
async function* partsOf(request: FastifyRequest, fileSize: number): AsyncGenerator<Multipart> {
  try {
    yield* request.parts({ limits: { files: 1, fields: 20, fieldSize: 10_000, fileSize } })
  } catch (error) {
    throw tooLarge(error) ? error : unreadable()
  }
}

function refuseUnstorable(texts: Record<string, string | undefined>): void {
  const wrong = unstorable(texts)
  if (wrong.length > 0) throw invalid(wrong)
}

function tooLarge(error: unknown): boolean {
  return error instanceof FileTooLarge || (error as { code?: string }).code === "FST_REQ_FILE_TOO_LARGE"
}

async function take(
  cx: RouteCx,
  filename: string,
  stream: Readable,
  limit: number,
  accept: FileKind[],
): Promise<UploadedFile> {
  const name = cleanName(filename)
  const extension = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : ""
  const kind = accept.find((candidate) => candidate.extension === extension)
  if (!kind) {
    stream.resume()
    const names = accept.map((candidate) => `.${candidate.extension}`).join(", ")
    throw invalid([{ path: "file", message: `"${name}" is not of a kind that is taken here (${names}).` }])
  }
  const content = await cx.app.files.receive(stream, limit).catch((error: unknown) => {
    throw stream.errored === error && !tooLarge(error) ? unreadable() : error
  })
  try {
    if (content.size === 0) throw invalid([{ path: "file", message: `"${name}" is empty.` }])
    const seen = await fileTypeFromFile(content.path)
    const agrees = kind.magic === null ? seen === undefined : seen !== undefined && kind.magic.includes(seen.ext)
    if (!agrees) throw invalid([{ path: "file", message: `"${name}" is not a .${extension} file inside.` }])
    if (!(await isWhole(content.path, extension))) {
      throw invalid([
        { path: "file", message: `"${name}" is damaged or cut short. Save it again and choose the new file.` },
      ])
    }
    return { name, mime: kind.mime, extension, content }
  } catch (error) {
    await cx.app.files.discard(content)
    throw error
  }
}

/** The last part of a file name, without control characters, at most 200 characters, never empty. */
export function cleanName(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? ""
  return (
    last
      .replace(/[\p{Cc}\p{Cf}]/gu, "")
      .trim()
      .slice(-200)
      // The cut may have gone through a surrogate pair.
      .toWellFormed() || "file"
  )
}

export type DownloadContent = { name: string; mime: string } & (
  | { fileId: string }
  | { bytes: Buffer }
  | { stream: Readable }
)

/** A route that answers with a file, as an attachment that no browser runs anything of. */
export function download(
  options: RouteOptions,
  handler: (cx: RouteCx & { query: Record<string, string | undefined> }) => Promise<DownloadContent>,
): HttpRoute {
  return {
    method: "GET",
    path: options.path,
    permission: options.permission,
    summary: options.summary,
    register(http, contextOf) {
      http.get(options.path, async (request, reply) =>
        answer(request, reply, contextOf, options, async (cx) => {
          const query = request.query as Record<string, string | undefined>
          refuseUnstorable(query)
          const content = await handler({ ...cx, query })
          const body =
            "bytes" in content
              ? content.bytes
              : "stream" in content
                ? content.stream
                : await cx.transaction(async ({ tx }) => (await cx.app.files.read(tx, content.fileId)).open())
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

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  contextOf: (request: FastifyRequest) => Promise<RequestContext>,
  { permission, errors }: RouteOptions,
  work: (cx: RouteCx) => Promise<unknown>,
): Promise<unknown> {
  try {
    const context = await contextOf(request)
    checkPermission(context.actor, permission)
    const { app, requestId } = context
    const actor = context.actor!
    return await work({
      app,
      actor,
      requestId,
      params: request.params as Record<string, string>,
      signal: request.callerGone,
      async transaction(inner, signal) {
        const moment = await app.moment()
        return app.database.transaction(
          Database.roleOf(actor),
          (tx) => inner({ app, tx, actor, requestId, ...moment }),
          actor,
          signal,
        )
      },
    })
  } catch (error) {
    const typed = answerable(error, { ...commonErrors, ...errors })
    if (!(typed instanceof ORPCError)) throw typed
    request.raw.resume()
    return reply.status(typed.status).header("cache-control", "no-store").send(typed.toJSON())
  }
}

/** The refusal for an id that is not a uuid: the same answer as for a record that does not exist. */
export function uuidOrNotFound(text: string | undefined): string {
  if (!text || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw refused("NOT_FOUND")
  return text
}

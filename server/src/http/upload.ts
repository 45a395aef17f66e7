import type { Readable } from "node:stream"
import type { Multipart } from "@fastify/multipart"
import type { FastifyRequest } from "fastify"
import { fileTypeFromFile } from "file-type"
import { invalidInput } from "../platform/calls/commands.ts"
import { unknownFieldError } from "../platform/calls/strict-input.ts"
import { isDiskFull } from "../platform/database/database.ts"
import type { AcceptedFileKinds } from "../platform/files/accepted-files.ts"
import { FileTooLarge, type ReceivedFile } from "../platform/files/files.ts"
import { receiveWithoutMetadata } from "../platform/files/picture-metadata.ts"
import { isCompleteFile } from "../platform/files/whole-file.ts"
import {
  answerFileRequest,
  type FileRouteOptions,
  type HttpRoute,
  type RouteCx,
  refuseUnstorable,
} from "./file-route.ts"

export interface UploadedFile {
  /** The sender's file name, cleaned; for display, never for storage. */
  name: string
  mime: string
  extension: string
  content: ReceivedFile
}

interface UploadOptions extends FileRouteOptions {
  /** Accepted kinds and the size limit in bytes, evaluated before the file is read. */
  accepts: (cx: RouteCx) => AcceptedFileKinds | Promise<AcceptedFileKinds>
}

/**
 * A multipart route for one file, with text fields before it. The file is streamed to disk and cut off at the limit.
 * Its extension, first bytes and kind must agree. Pictures lose their metadata. A file that the handler does not save is
 * discarded.
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
    ...(options.words && { words: options.words }),
    register(http, contextOf) {
      http.post(options.path, async (request, reply) =>
        answerFileRequest(request, reply, contextOf, options, async (cx) => {
          if (!request.isMultipart())
            throw invalidInput([{ path: "file", message: "Send the file as multipart/form-data." }])
          const accepted = await options.accepts(cx)
          const limit = accepted.bytes
          let file: UploadedFile | undefined
          const fields: Record<string, string> = {}
          try {
            for await (const part of formParts(request, limit + 1)) {
              if (part.type === "field") fields[part.fieldname] = String(part.value)
              else file = await receiveFile(cx, part.filename, part.file, accepted)
            }
            if (!file) throw invalidInput([{ path: "file", message: "Choose a file." }])
            refuseUnknownFields(fields, options)
            refuseUnstorable(fields)
            return await handler({ ...cx, fields, file })
          } catch (error) {
            throw isTooLargeError(error)
              ? invalidInput([{ path: "file", message: `The file is larger than ${sizeText(limit)}.` }])
              : error
          } finally {
            if (file) await cx.app.files.discard(file.content)
          }
        }),
      )
    },
  }
}

function refuseUnknownFields(fields: Record<string, string>, { words = {} }: UploadOptions): void {
  const known = Object.keys({ ...words.fields, ...words.optionalFields })
  const unknown = Object.keys(fields).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw invalidInput(unknown.map(unknownFieldError))
}

const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.floor(bytes / 1024)} KB` : `${Math.floor(bytes / 1024 / 1024)} MB`

const unreadableUpload = () =>
  invalidInput([
    { path: "file", message: "The upload was interrupted or does not contain exactly one file. Send it again." },
  ])

/** An unreadable form is an INVALID refusal, not a server error: the sender or the network caused it. */
async function* formParts(request: FastifyRequest, fileSize: number): AsyncGenerator<Multipart> {
  try {
    yield* request.parts({ limits: { files: 1, fields: 20, fieldSize: 10_000, fileSize } })
  } catch (error) {
    throw isTooLargeError(error) || isDiskFull(error) ? error : unreadableUpload()
  }
}

function isTooLargeError(error: unknown): boolean {
  return error instanceof FileTooLarge || (error as { code?: string }).code === "FST_REQ_FILE_TOO_LARGE"
}

async function receiveFile(
  cx: RouteCx,
  filename: string,
  stream: Readable,
  { kinds, bytes: limit }: AcceptedFileKinds,
): Promise<UploadedFile> {
  const name = cleanName(filename)
  const extension = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : ""
  const kind = kinds.find((candidate) => candidate.extension === extension)
  if (!kind) {
    stream.resume()
    const names = kinds.map((candidate) => `.${candidate.extension}`).join(", ")
    throw invalidInput([{ path: "file", message: `"${name}" has an unsupported type. Supported: ${names}.` }])
  }
  const content = await cx.app.files.receive(stream, limit).catch((error: unknown) => {
    throw stream.errored === error && !isTooLargeError(error) && !isDiskFull(error) ? unreadableUpload() : error
  })
  try {
    if (content.size === 0) throw invalidInput([{ path: "file", message: `"${name}" is empty.` }])
    const seen = await fileTypeFromFile(content.path)
    const agrees =
      kind.magic === "any" || (kind.magic === null ? seen === undefined : kind.magic.includes(seen?.ext ?? ""))
    if (!agrees)
      throw invalidInput([{ path: "file", message: `The content of "${name}" is not a .${extension} file.` }])
    const damaged = () =>
      invalidInput([
        { path: "file", message: `"${name}" is damaged or incomplete. Save it again and choose the new file.` },
      ])
    if (!(await isCompleteFile(content.path, extension))) throw damaged()
    const stored = await receiveWithoutMetadata(cx.app.files, content, extension).catch((error: Error) => {
      throw error.name === "Unreadable" ? damaged() : error
    })
    return { name, mime: kind.mime, extension, content: stored }
  } catch (error) {
    await cx.app.files.discard(content)
    throw error
  }
}

/** The last part of a path, without control characters, at most 200 characters, never empty. */
export function cleanName(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1) ?? ""
  return (
    last
      .replace(/[\p{Cc}\p{Cf}]/gu, "")
      .trim()
      .slice(-200)
      // slice() can split a surrogate pair.
      .toWellFormed() || "file"
  )
}

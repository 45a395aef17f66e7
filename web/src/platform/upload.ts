import { reportAnswer } from "./connection.ts"
import { refusalOf } from "./errors.ts"

interface UploadRequest {
  url: string
  file: File
  fields?: Record<string, string>
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/**
 * Uploads one file. Rejects with the server's refusal, a TypeError without an answer, or an AbortError if cancelled.
 */
export function uploadFile<Answer>({ url, file, fields = {}, onProgress, signal }: UploadRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    body.append("file", file, file.name)
    const request = new XMLHttpRequest()
    request.responseType = "json"
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    }
    request.onload = () => {
      reportAnswer(true)
      if (request.status >= 200 && request.status < 300) resolve(request.response as Answer)
      else reject(refusalOf(request.status, request.response))
    }
    request.onerror = () => {
      reportAnswer(false)
      reject(new TypeError("no answer"))
    }
    request.onabort = () => reject(new DOMException("The upload was cancelled.", "AbortError"))
    signal?.addEventListener("abort", () => request.abort(), { once: true })
    request.open("POST", url)
    request.send(body)
  })
}

import type { MouseEvent } from "react"
import { reportAnswer } from "./connection.ts"
import { refusalOf, requiredProofOf } from "./errors.ts"
import { requestProof } from "./proof.ts"

/**
 * Downloads a file, which may wait in a queue on the server. Asks the user for a proof of identity if required. Rejects
 * with the server's refusal, or with a TypeError if no answer arrives.
 */
export async function downloadFile(url: string): Promise<void> {
  const answer = await fetchFile(url).catch(async (error: unknown) => {
    const by = requiredProofOf(error)
    if (!by || !(await requestProof(by))) throw error
    return fetchFile(url)
  })
  const link = document.createElement("a")
  link.href = URL.createObjectURL(await answer.blob())
  link.download = fileNameOf(answer.headers.get("content-disposition") ?? "")
  link.click()
  // By then the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

async function fetchFile(url: string): Promise<Response> {
  const answer = await fetch(url).catch((error: unknown) => {
    reportAnswer(false)
    throw error
  })
  reportAnswer(true)
  if (!answer.ok) throw refusalOf(answer.status, await answer.json().catch(() => null))
  return answer
}

export const opensInNewTab = (event: MouseEvent): boolean =>
  event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey

const fileNameOf = (disposition: string): string => {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return encoded ? decodeURIComponent(encoded) : ""
}

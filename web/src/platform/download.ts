import type { MouseEvent } from "react"
import { reportAnswer } from "./connection.ts"
import { proofAskedFor, refusalOf } from "./errors.ts"
import { proved } from "./proof.ts"

/**
 * Fetches a file, which may wait for its turn on the server, and hands it to the browser to keep. Rejects with the
 * server's typed refusal, once the person has been asked for a proof where one is wanted, and with a TypeError where no answer came.
 */
export async function downloadFile(url: string): Promise<void> {
  const answer = await fetchFile(url).catch(async (error: unknown) => {
    const by = proofAskedFor(error)
    if (!by || !(await proved(by))) throw error
    return fetchFile(url)
  })
  const link = document.createElement("a")
  link.href = URL.createObjectURL(await answer.blob())
  link.download = nameOf(answer.headers.get("content-disposition") ?? "")
  link.click()
  // The browser has begun to read it by then.
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

/** Whether a click on a link opens it elsewhere, which is the browser's to do. */
export const opensElsewhere = (event: MouseEvent): boolean =>
  event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey

const nameOf = (disposition: string): string => {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return encoded ? decodeURIComponent(encoded) : ""
}

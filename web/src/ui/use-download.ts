import { useState } from "react"
import { downloadFile } from "../platform/download.ts"
import { toast } from "./toast.tsx"

/** Downloads a file; what it is refused with is said in a toast, with what to do. */
export async function downloadOrSay(url: string): Promise<void> {
  await downloadFile(url).catch((error: unknown) => toast.error("The file could not be downloaded.", error))
}

/** Downloads, and says while the file waits for its turn on the server. */
export function useDownload() {
  const [isUnderWay, setUnderWay] = useState(false)
  const download = async (url: string) => {
    setUnderWay(true)
    await downloadOrSay(url)
    setUnderWay(false)
  }
  return { isUnderWay, download }
}

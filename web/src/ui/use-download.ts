import { useState } from "react"
import { downloadFile } from "../platform/download.ts"
import { toast } from "./toast.tsx"

export async function downloadWithToast(url: string): Promise<void> {
  await downloadFile(url).catch((error: unknown) => toast.error("The file could not be downloaded.", error))
}

export function useDownload() {
  const [isUnderWay, setUnderWay] = useState(false)
  const download = async (url: string) => {
    setUnderWay(true)
    await downloadWithToast(url)
    setUnderWay(false)
  }
  return { isUnderWay, download }
}

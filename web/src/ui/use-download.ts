import { type MouseEvent, useState } from "react"
import { downloadFile, opensElsewhere } from "../platform/download.ts"
import { toast } from "./toast.tsx"

/** Downloads a file; what it is refused with is said in a toast, with what to do. */
export async function downloadOrSay(url: string): Promise<void> {
  await downloadFile(url).catch((error: unknown) => toast.error("The file could not be downloaded.", error))
}

/**
 * For a link that downloads: says while the file waits for its turn on the server, and why it does not come.
 *
 *     const download = useDownload()
 *     <Button component="a" href={href} download loading={download.isUnderWay} onClick={download.onClick}>
 */
export function useDownload() {
  const [isUnderWay, setUnderWay] = useState(false)
  const onClick = async (event: MouseEvent<HTMLAnchorElement>) => {
    if (opensElsewhere(event)) return
    event.preventDefault()
    setUnderWay(true)
    await downloadOrSay(event.currentTarget.href)
    setUnderWay(false)
  }
  return { isUnderWay, onClick }
}

import { useState } from "react"
import { useUnsavedGuard } from "./use-unsaved-guard.tsx"

export interface Upload {
  id: string
  file: File
  fields: Record<string, string>
  share: number
  error?: string
  /** The server would refuse the file, so it is not sent and cannot be retried. */
  hopeless?: boolean
  abort: AbortController
}

export type Uploads = ReturnType<typeof useUploads>

/**
 * The pending and failed files of a `DocumentUploader`. Call it in the page if they must outlive the uploader, as in a
 * wizard:
 *
 *     const uploads = useUploads()
 *     <DocumentUploader uploads={uploads} … />
 *     {uploads.failed.length > 0 && `Not uploaded: ${uploads.failed.join(", ")}`}
 */
export function useUploads() {
  const [files, setFiles] = useState<Upload[]>([])
  const names = (failed: boolean) =>
    files.filter(({ error }) => (error !== undefined) === failed).map(({ file }) => file.name)
  const underWay = names(false)
  useUnsavedGuard(underWay.length > 0, "The file being uploaded")
  return {
    files,
    underWay,
    failed: names(true),
    setFiles,
  }
}

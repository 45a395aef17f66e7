import { useState } from "react"
import { useUnsavedGuard } from "./use-unsaved-guard.tsx"

/** A file that was chosen and has not arrived. */
export interface Upload {
  id: string
  file: File
  /** What was said of it when it was chosen; goes with it also when it is tried again. */
  fields: Record<string, string>
  share: number
  error?: string
  /** A file that the server would refuse anyway is not sent, and cannot be tried again. */
  hopeless?: boolean
  abort: AbortController
}

export type Uploads = ReturnType<typeof useUploads>

/**
 * The files of a `DocumentUploader` that have not arrived. Held by the page where they are to outlast the uploader,
 * such as a wizard in which one goes from step to step:
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
  useUnsavedGuard(underWay.length > 0, "A file that is being uploaded")
  return {
    files,
    /** The names of those that are being sent. */
    underWay,
    /** The names of those that were not taken. */
    failed: names(true),
    setFiles,
  }
}

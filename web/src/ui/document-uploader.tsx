import { ActionIcon, Button, Progress } from "@mantine/core"
import { IconUpload, IconX } from "@tabler/icons-react"
import { type DragEvent, useId, useRef, useState } from "react"
import { errorTextOf } from "../platform/errors.ts"
import { uploadFile } from "../platform/upload.ts"
import { useAllowedFiles } from "./display.tsx"
import classes from "./document-uploader.module.css"
import { formatFileSize } from "./file-size.ts"
import { type Upload, type Uploads, useUploads } from "./use-uploads.ts"

interface DocumentUploaderProps<Answer> {
  label: string
  url: string
  /** Extensions without the dot; the server also checks the contents. */
  accept: readonly string[]
  /** Defaults to the limit of the settings; the server checks again. */
  maxMegabytes?: number
  multiple?: boolean
  fields?: (file: File) => Record<string, string>
  onUploaded: (answer: Answer, file: File) => void
  disabled?: string
  uploads?: Uploads
}

/**
 * Uploads files with progress and an error for each. Size and type are checked before sending. Failed files stay until
 * they are sent again or removed.
 *
 *     <DocumentUploader<ClaimDocument> label="Upload documents" url={`/api/claims/${claimId}/documents`}
 *       accept={["pdf", "jpg", "png"]} multiple fields={() => ({ documentType, documentName })}
 *       onUploaded={() => queryClient.invalidateQueries({ queryKey: api.claims.key() })} />
 */
export function DocumentUploader<Answer = unknown>(props: DocumentUploaderProps<Answer>) {
  const { megabytes } = useAllowedFiles()
  const { label, url, accept, maxMegabytes = megabytes, multiple, fields, onUploaded, disabled } = props
  const own = useUploads()
  const { files, setFiles } = props.uploads ?? own
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const hintId = useId()

  const patch = (id: string, change: Partial<Upload> | undefined) =>
    setFiles((all) => all.flatMap((each) => (each.id !== id ? [each] : change ? [{ ...each, ...change }] : [])))

  const send = async (each: Upload) => {
    patch(each.id, { share: 0, error: undefined })
    try {
      const answer = await uploadFile<Answer>({
        url,
        file: each.file,
        fields: each.fields,
        signal: each.abort.signal,
        onProgress: (share) => patch(each.id, { share }),
      })
      patch(each.id, undefined)
      onUploaded(answer, each.file)
    } catch (error) {
      if (each.abort.signal.aborted) patch(each.id, undefined)
      else patch(each.id, { error: errorTextOf(error) })
    }
  }

  const upload = (files: Iterable<File>) => {
    if (disabled) return
    const chosen = [...files].slice(0, multiple ? undefined : 1).map((file): Upload => {
      const error = fileProblemOf(file, accept, maxMegabytes)
      return {
        id: crypto.randomUUID(),
        file,
        fields: fields?.(file) ?? {},
        share: 0,
        error,
        hopeless: error !== undefined,
        abort: new AbortController(),
      }
    })
    const isRetried = (name: string) => !multiple || chosen.some(({ file }) => file.name === name)
    setFiles((all) => [...all.filter(({ error, file }) => error === undefined || !isRetried(file.name)), ...chosen])
    for (const each of chosen) if (each.error === undefined) void send(each)
  }

  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    upload(event.dataTransfer.files)
  }

  return (
    <div>
      {/* Keyboard users have the button; dropping is an extra for the mouse. */}
      <section
        aria-label={label}
        className={classes.zone}
        data-over={(over && !disabled) || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <Button
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
          disabled={disabled !== undefined}
          aria-describedby={hintId}
          onClick={() => input.current?.click()}
        >
          {label}
        </Button>
        <span id={hintId} className={classes.hint}>
          {disabled ??
            `or drop ${multiple ? "files" : "a file"} here. ${fileKindsText(accept)}, up to ${sizeLimitText(maxMegabytes)}.`}
        </span>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={label}
          multiple={multiple}
          accept={accept.map((ending) => `.${ending}`).join(",")}
          onChange={(event) => {
            upload(event.currentTarget.files ?? [])
            event.currentTarget.value = ""
          }}
        />
      </section>
      {files.length > 0 && (
        <ul className={classes.files} aria-label="Files that were not uploaded">
          {files.map((each) => (
            <UploadRow
              key={each.id}
              each={each}
              onRetry={each.hopeless ? undefined : () => void send(each)}
              onRemove={() => {
                each.abort.abort()
                patch(each.id, undefined)
              }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function UploadRow({ each, onRetry, onRemove }: { each: Upload; onRetry?: () => void; onRemove: () => void }) {
  const { file, share, error } = each
  return (
    <li className={classes.file}>
      <div className={classes.name}>
        <span title={file.name}>{file.name}</span>
        <span className={classes.size}>{formatFileSize(file.size)}</span>
        {error === undefined ? (
          <ActionIcon size={24} aria-label={`Cancel upload of ${file.name}`} onClick={onRemove}>
            <IconX size={14} />
          </ActionIcon>
        ) : (
          <>
            {onRetry && (
              <Button size="compact-sm" variant="default" aria-label={`Retry ${file.name}`} onClick={onRetry}>
                Retry
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Remove ${file.name} (not uploaded)`}
              onClick={onRemove}
            >
              Remove
            </Button>
          </>
        )}
      </div>
      {error === undefined ? (
        <Progress value={share * 100} size={4} aria-label={`Upload of ${file.name}`} />
      ) : (
        <div className={classes.error} role="alert">
          {error}
        </div>
      )}
    </li>
  )
}

function fileProblemOf(file: File, accept: readonly string[], maxMegabytes: number): string | undefined {
  const ending = file.name.includes(".") ? file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase() : ""
  if (!accept.includes(ending)) return `This file type is not accepted. Accepted types: ${fileKindsText(accept)}.`
  if (file.size === 0) return "This file is empty."
  if (file.size > maxMegabytes * 1024 * 1024) return `This file is larger than ${sizeLimitText(maxMegabytes)}.`
  return undefined
}

const sizeLimitText = (megabytes: number): string =>
  megabytes < 1 ? `${Math.round(megabytes * 1024)} KB` : `${megabytes} MB`

function fileKindsText(accept: readonly string[]): string {
  const kinds = accept.filter((ending) => !(ending === "jpeg" && accept.includes("jpg"))).map((e) => e.toUpperCase())
  return kinds.length < 2 ? kinds.join("") : `${kinds.slice(0, -1).join(", ")} and ${kinds.at(-1)}`
}

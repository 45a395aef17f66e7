import type { FileType } from "@milkwood/domain/platform/documents"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import type { Cx } from "../calls/commands.ts"
import { readSettings } from "../settings/store.ts"
import { type FileKind, fileKinds } from "./file-kinds.ts"

export interface AcceptedFileKinds {
  kinds: FileKind[]
  bytes: number
}

const { maxFileMegabytes, allowedFileTypes } = platformSettings

export const acceptedFiles =
  (endings: (allowed: readonly FileType[]) => (keyof typeof fileKinds)[]) =>
  ({ transaction }: { transaction<T>(work: (cx: Cx) => Promise<T>): Promise<T> }): Promise<AcceptedFileKinds> =>
    transaction(async ({ tx }) => {
      const limits = await readSettings(tx, { maxFileMegabytes, allowedFileTypes })
      const kinds = endings(limits.allowedFileTypes).map((ending) => fileKinds[ending])
      return { kinds, bytes: limits.maxFileMegabytes * 1024 * 1024 }
    })

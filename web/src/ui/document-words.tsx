import { InstantText } from "./day.tsx"
import { fileSize } from "./file-size.ts"

interface DocumentWordsProps {
  document: { name: string; size: number; uploadedBy: string; uploadedAt: string }
  type: string
}

export const DocumentWords = ({ document: { name, size, uploadedBy, uploadedAt }, type }: DocumentWordsProps) => (
  <>
    {name !== type && `${type}, `}
    {fileSize(size)}, {uploadedBy}, <InstantText at={uploadedAt} />
  </>
)

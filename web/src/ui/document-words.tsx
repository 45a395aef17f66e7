import { InstantText } from "./day.tsx"
import { formatFileSize } from "./file-size.ts"

interface DocumentSummaryProps {
  document: { name: string; size: number; uploadedBy: string; uploadedAt: string }
  type: string
}

export const DocumentSummary = ({ document: { name, size, uploadedBy, uploadedAt }, type }: DocumentSummaryProps) => (
  <>
    {name !== type && `${type}, `}
    {formatFileSize(size)}, {uploadedBy}, <InstantText at={uploadedAt} />
  </>
)

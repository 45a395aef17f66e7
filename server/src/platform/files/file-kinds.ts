export interface FileKind {
  extension: string
  mime: string
  /**
   * Types allowed by the first bytes. `null`: a format without a signature (CSV), which must look like text. `any`: the
   * reader checks the content.
   */
  magic: string[] | null | "any"
}

export const fileKinds = {
  pdf: { extension: "pdf", mime: "application/pdf", magic: ["pdf"] },
  png: { extension: "png", mime: "image/png", magic: ["png"] },
  jpg: { extension: "jpg", mime: "image/jpeg", magic: ["jpg"] },
  jpeg: { extension: "jpeg", mime: "image/jpeg", magic: ["jpg"] },
  doc: { extension: "doc", mime: "application/msword", magic: ["cfb"] },
  docx: {
    extension: "docx",
    mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    magic: ["docx", "zip"],
  },
  xlsx: {
    extension: "xlsx",
    mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    magic: ["xlsx", "zip"],
  },
  xls: { extension: "xls", mime: "application/vnd.ms-excel", magic: ["cfb"] },
  csv: { extension: "csv", mime: "text/csv", magic: null },
} satisfies Record<string, FileKind>

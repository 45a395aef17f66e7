/** A kind of file that an upload takes: its ending, its media type, and whether its first bytes give it away. */
export interface FileKind {
  extension: string
  mime: string
  /**
   * The type that the first bytes must show; `null` where a format has none (CSV): then they must look like text;
   * `any` where whoever reads the file says what it is instead.
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

/** "1,4 MB". */
export function formatFileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  if (kilobytes < 1024) return `${Math.round(kilobytes)} KB`
  const [size, unit] = kilobytes < 1024 ** 2 ? [kilobytes / 1024, "MB"] : [kilobytes / 1024 ** 2, "GB"]
  return `${size.toFixed(1).replace(".", ",")} ${unit}`
}

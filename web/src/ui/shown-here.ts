/** Whether a file can be looked at on the page; every other is a download. */
export const isShown = ({ mime }: { mime: string }): boolean =>
  mime === "application/pdf" || mime === "image/png" || mime === "image/jpeg"

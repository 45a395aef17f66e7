export const isShown = ({ mime }: { mime: string }): boolean =>
  mime === "application/pdf" || mime === "image/png" || mime === "image/jpeg"

export const isViewableInBrowser = ({ mime }: { mime: string }): boolean =>
  mime === "application/pdf" || mime === "image/png" || mime === "image/jpeg"

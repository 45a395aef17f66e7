/** The word that leaves a dialog without its act: beside "Cancel invoice" a second Cancel could mean either. */
export const turnBackWord = (act: string): string => (act.startsWith("Cancel") ? "Back" : "Cancel")

/** Beside "Cancel invoice" a second "Cancel" would be ambiguous. */
export const turnBackWord = (act: string): string => (act.startsWith("Cancel") ? "Back" : "Cancel")

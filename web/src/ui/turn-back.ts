/** Beside "Cancel invoice" a second "Cancel" would be ambiguous. */
export const dismissLabel = (act: string): string => (act.startsWith("Cancel") ? "Back" : "Cancel")

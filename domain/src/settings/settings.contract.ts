export const settingsContract = {}

export const settingsRouter = {}

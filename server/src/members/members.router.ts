export const membersRouter = {}

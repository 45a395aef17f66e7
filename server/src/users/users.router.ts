export const usersRouter = {}

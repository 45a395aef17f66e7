export const usersContract = {}

export const membersContract = {}

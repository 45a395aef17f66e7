export const payoutsContract = {}

export const benefitsContract = {}

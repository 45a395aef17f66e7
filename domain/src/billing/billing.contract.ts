export const billingContract = {}

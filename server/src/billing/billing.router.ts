export const billingRouter = {}

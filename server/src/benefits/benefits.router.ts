export const benefitsRouter = {}

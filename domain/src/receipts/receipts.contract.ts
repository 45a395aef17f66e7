export const receiptsContract = {}

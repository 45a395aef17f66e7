/** How many entries of a history are shown, the newest ones. */
export const timelineLength = 200

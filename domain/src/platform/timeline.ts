/** How many entries of a history are answered at once, the newest ones; older ones are asked for by the last of them. */
export const timelineLength = 25

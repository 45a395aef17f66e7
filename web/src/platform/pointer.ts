/** Whether one works with a mouse and a keyboard; where one touches, a keyboard covers half of the screen. */
export const finePointer = typeof window !== "undefined" && window.matchMedia?.("(pointer: fine)").matches === true

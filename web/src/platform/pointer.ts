/** On touch devices autofocus would open a keyboard over half of the screen. */
export const finePointer = typeof window !== "undefined" && window.matchMedia?.("(pointer: fine)").matches === true

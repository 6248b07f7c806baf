/** A text with ordinary spaces for the ones that keep a date together. */
export function plainSpaces(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\u00a0', ' ')
}

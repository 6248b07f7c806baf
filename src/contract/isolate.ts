/** Letters and digits of scripts that are written from right to left. Only they can reorder the words around them. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A person's words for a sentence that is a plain string, such as a label, a title or a mail: isolated, so that they cannot reorder the
 * words around them. Elements use `<bdi>` instead. Not for values that people copy or send on.
 */
export function isolate(words: string): string {
  return RIGHT_TO_LEFT.test(words) ? `\u2068${words}\u2069` : words
}

/** Joins class names with spaces; skips missing and false ones. */
export function classes(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}

/** Parts of a listed text that are filled in from a case, in braces: "We have your deposit {ref} of {amount}." */
const PLACEHOLDERS = ['name', 'ref', 'amount', 'status', 'until'] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

/** The words of a case for its placeholders. */
export type CaseWords = Readonly<Partial<Record<Placeholder, string>>>

/** Fills in the placeholders. One that the case has nothing for stays. */
export function fillPlaceholders(text: string, words: CaseWords): string {
  return text.replace(/\{([a-z]+)\}/g, (found, name: string) =>
    Object.hasOwn(words, name) ? (words[name as Placeholder] ?? found) : found,
  )
}

/** Finds the first known placeholder of a text, in braces. */
export function findPlaceholder(text: string): string | undefined {
  return PLACEHOLDERS.map((name) => `{${name}}`).find((found) => text.includes(found))
}

/** Finds the first text in braces that is not one of the known placeholders. */
export function findUnknownPlaceholder(text: string, known: readonly Placeholder[]): string | undefined {
  return text.match(/\{[^{}]*\}/g)?.find((found) => !known.some((name) => found === `{${name}}`))
}

/** A template's name and text. A first line that begins with "# " is its name. Without such a line, the text's beginning is. */
export function splitTemplate(template: string): { readonly name: string; readonly text: string } {
  const [first = '', ...others] = template.trim().split('\n')
  const text = others.join('\n').trim()
  if (first.startsWith('# ') && text !== '') return { name: first.slice(2).trim(), text }
  return { name: template.length > 90 ? `${template.slice(0, 90)}…` : template, text: template }
}

/** The lots of each sale for the API, from the units typed by `sale lot`. Leaves out fields that are empty or no number above zero. */
export function parseChoices(
  typed: Readonly<Record<string, string>>,
): Record<string, { lot: string; units: number }[]> {
  const choices: Record<string, { lot: string; units: number }[]> = {}
  for (const [name, text] of Object.entries(typed)) {
    const [sale = '', lot = ''] = name.split(' ')
    const units = Number(text.trim().replace(',', '.'))
    if (units > 0) choices[sale] = [...(choices[sale] ?? []), { lot, units }]
  }
  return choices
}

/** The class of a figure's element: a loss has one colour wherever it stands. */
export function getLossClass(text: string): 'loss' | undefined {
  return text.startsWith('−') ? 'loss' : undefined
}

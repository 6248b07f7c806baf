/** A path that keeps the width of its line when it is stretched. */
export function renderPath(id: string, d: string): string {
  return `<path id="${id}" vector-effect="non-scaling-stroke" d="${d}"/>`
}

/** A file of named parts, which pages draw with `use`. Inline, they would use up the pages' budget. */
export function respondWithParts(parts: readonly string[]): Response {
  return new Response(`<svg xmlns="http://www.w3.org/2000/svg">${parts.join('')}</svg>`, {
    headers: { 'Content-Type': 'image/svg+xml' },
  })
}
